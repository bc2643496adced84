"""Writes the vector files of this folder's parent; with --check it only says whether they are up to date."""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import groups  # noqa: E402


def render(group):
    header = {'bailing': 'verifier-vectors', 'version': 1, 'generatedBy': 'sdk-verifiers/vectors/generator', 'group': group['group']}
    if group.get('clock'):
        header['clock'] = group['clock']
    header.update(parties=group['parties'], count=len(group['cases']), flags=group['flags'], cases=group['cases'])
    return json.dumps(header, ensure_ascii=True, indent=2) + '\n'


def audit(all_groups):
    seen = set()
    for group in all_groups:
        for case in group['cases']:
            if case['id'] in seen or not case['id'].startswith(group['group'] + '/'):
                raise SystemExit('bad id ' + case['id'])
            seen.add(case['id'])
            for flag in case['flags']:
                if flag not in group['flags']:
                    raise SystemExit('unknown flag ' + flag + ' in ' + case['id'])
    hostile = sum('hostile' in c['flags'] for g in all_groups for c in g['cases'])
    return len(seen), hostile


def main(argv):
    all_groups = groups.all_groups()
    total, hostile = audit(all_groups)
    stale = []
    for group in all_groups:
        path = HERE.parent / (group['group'] + '.json')
        text = render(group)
        if not path.exists() or path.read_text('utf-8') != text:
            stale.append(path.name)
            if '--check' not in argv:
                path.write_text(text, 'utf-8')
    if '--check' in argv and stale:
        print('out of date: ' + ', '.join(stale) + '; run python3 sdk-verifiers/vectors/generator')
        return 1
    print('%d cases, %d hostile, %s' % (total, hostile, 'up to date' if not stale else 'written: ' + ', '.join(stale)))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
