/** The planner's own sentences, in the language of the request. */
export interface Words {
  readonly held: (id: string | undefined) => string;
  readonly pending: string;
  readonly failed: (why: string) => string;
  readonly unknown: string;
  readonly missingResult: string;
  readonly empty: string;
  readonly answered: string;
  readonly whatIAm: string;
  readonly noTools: string;
  readonly nothingToDo: string;
  readonly noTool: (text: string) => string;
  readonly canDo: (titles: readonly string[]) => string;
  readonly ask: (title: string) => string;
  readonly choose: (name: string, values: readonly string[]) => string;
  readonly several: (title: string) => string;
  readonly which: (text: string, titles: readonly string[]) => string;
  readonly toldNotTo: (text: string) => string;
  readonly condition: (text: string, title: string) => string;
  readonly howTo: (title: string) => string;
  readonly blocked: (title: string) => string;
  readonly stopped: string;
}

const english: Words = {
  held: (id) =>
    `not carried out: it was submitted for approval${id === undefined ? '' : ` (approval ${id})`} and nothing was sent to the business yet.`,
  pending: 'the business took the request, but it is not carried out yet; it says itself that it waits for a decision:',
  failed: (why) => `this did not work. ${why}`,
  unknown:
    'it is not known whether this took effect. It must not be repeated before somebody has compared it with the records of the business.',
  missingResult: 'there is no answer to this call.',
  empty: 'the answer is empty.',
  answered: 'the answer is',
  whatIAm: 'I plan calls by rules and am no language model.',
  noTools:
    'I have no tools here and nothing has been looked up. I follow rules and am no language model, so I cannot answer from knowledge of my own.',
  nothingToDo: 'I did not find a request in this message.',
  noTool: (text) => `None of the tools I may use fits “${text}”, so I did nothing about it.`,
  canDo: (titles) => `What I can do here: ${titles.join('; ')}.`,
  ask: (title) => `For “${title}” I still need:`,
  choose: (name, values) => `${name}: which one of ${values.join(', ')}?`,
  several: (title) =>
    `“${title}” was asked for several at once, with a number; please ask for one at a time, so that each number is meant exactly.`,
  which: (text, titles) => `“${text}” could mean ${titles.map((title) => `“${title}”`).join(' or ')}. Which one do you mean?`,
  toldNotTo: (text) => `As you said, this was not done: “${text}”.`,
  condition: (text, title) =>
    `I do not judge conditions, so “${title}” was not done: “${text}”. Ask for it plainly once you have seen the facts.`,
  howTo: (title) => `That would be “${title}”. Nothing was done; ask for it directly if you want it.`,
  blocked: (title) => `“${title}” was not attempted, because the step before it was not completed.`,
  stopped: 'No further calls were made.',
};

const chinese: Words = {
  held: (id) => `尚未执行：已提交审批${id === undefined ? '' : `（审批单 ${id}）`}，目前没有向业务系统发送任何请求。`,
  pending: '业务系统已受理，但尚未执行，仍在等待其自身的审批：',
  failed: (why) => `没有成功。${why}`,
  unknown: '无法确认是否已经生效。在与业务系统的记录核对之前，请不要重复操作。',
  missingResult: '这次调用没有返回结果。',
  empty: '返回内容为空。',
  answered: '返回结果',
  whatIAm: '我按规则安排调用，不是大语言模型。',
  noTools: '当前没有可用的工具，也没有查询到任何数据。我按规则工作，不是大语言模型，无法凭自己的知识回答。',
  nothingToDo: '没有从这条消息里读到要办的事。',
  noTool: (text) => `可用的工具里没有适合“${text}”的，因此没有执行任何操作。`,
  canDo: (titles) => `我在这里可以：${titles.join('；')}。`,
  ask: (title) => `要办理“${title}”，还需要：`,
  choose: (name, values) => `${name}：是 ${values.join('、')} 中的哪一个？`,
  several: (title) => `“${title}”一次提到了多个对象和数字，请逐个提出，以免混淆。`,
  which: (text, titles) => `“${text}”可能是指${titles.map((title) => `“${title}”`).join('或')}，请问是哪一个？`,
  toldNotTo: (text) => `按您的要求，没有执行：“${text}”。`,
  condition: (text, title) => `我不判断条件，因此没有执行“${title}”：“${text}”。请在确认事实后直接提出。`,
  howTo: (title) => `这对应“${title}”。目前没有执行任何操作；如需办理，请直接提出。`,
  blocked: (title) => `“${title}”没有执行，因为前一步没有完成。`,
  stopped: '没有再进行其他调用。',
};

export function wordsIn(language: 'zh' | 'en'): Words {
  return language === 'zh' ? chinese : english;
}
