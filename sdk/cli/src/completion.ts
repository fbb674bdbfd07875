import type { Command } from 'commander';

/** The words that may follow each command, by its path: the names below it and its options. */
function wordsBelow(command: Command, path: readonly string[] = []): [string, string[]][] {
  const options = command.options.map(({ long, short }) => long ?? short ?? '');
  const own = [...command.commands.map((one) => one.name()), ...options, '--help'];
  return [
    [path.join(' '), own],
    ...command.commands.flatMap((one) => wordsBelow(one, [...path, one.name()])),
  ];
}

/** A script for bash, or for zsh with its emulation, that completes the commands below this one. */
export function completionScript(root: Command, shell: 'bash' | 'zsh'): string {
  const cases = wordsBelow(root).map(([path, words]) => `    "${path}") words="${words.join(' ')}" ;;`);
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_vigia() {
  local words="" path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _vigia vigia
`;
}
