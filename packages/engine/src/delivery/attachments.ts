export type Attachment =
  | { readonly type: 'image'; readonly url: string; readonly caption: string }
  | { readonly type: 'file' | 'audio'; readonly url: string; readonly name: string };

/** A Markdown link or image to an absolute web address. Every part is bounded, so a long text is read once. */
const LINK = /(!?)\[([^[\]\n]{0,300})\]\((https?:\/\/[^\s()<>]{1,2048})(?:[ \t]{1,8}"[^"\n]{0,300}")?\)/gi;
const FILE = /\.(pdf|docx?|xlsx?|pptx?|csv|txt|md|markdown|jsonl?|xml|html?|log|ya?ml|zip|rar|7z)(\?[^#]*)?$/i;
const AUDIO = /\.(mp3|wav|m4a|aac|ogg|oga|webm|flac)(\?[^#]*)?$/i;
const FILE_LABEL = /^(文件|附件|文档|file|document)/i;
const AUDIO_LABEL = /^(语音|音频|录音|audio|voice)/i;
const MAX = 100;

/** What a Markdown text carries beside its words (WIRE §10.3): images, then files, then audio; the same URL once; at most 100. */
export function attachmentsOf(text: string): readonly Attachment[] {
  const found = new Map<string, Attachment>();
  for (const [, bang, label = '', url = ''] of text.matchAll(LINK)) {
    if (found.size >= MAX) break;
    const attachment = bang === '!' ? { type: 'image' as const, url, caption: label } : linked(label, url);
    if (attachment && !found.has(url)) found.set(url, attachment);
  }
  const of = (type: Attachment['type']) => [...found.values()].filter((one) => one.type === type);
  return [...of('image'), ...of('file'), ...of('audio')];
}

function linked(label: string, url: string): Attachment | null {
  if (FILE.test(url)) return { type: 'file', url, name: label };
  if (AUDIO.test(url)) return { type: 'audio', url, name: label };
  const name = label.trim();
  if (FILE_LABEL.test(name)) return { type: 'file', url, name: label };
  return AUDIO_LABEL.test(name) ? { type: 'audio', url, name: label } : null;
}
