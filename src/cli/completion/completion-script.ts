import type { CommandWords, Word } from './command-words.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A script with all words in it: completing starts no process. */
export function completionScript(shell: Shell, commands: CommandWords[]): string {
  switch (shell) {
    case 'bash':
      return bash(commands);
    case 'zsh':
      return zsh(commands);
    case 'fish':
      return fish(commands);
  }
}

/** The commands typed so far, without options, select the words that may follow. */
const bash = (commands: CommandWords[]): string => `# bash completion of troupe
_troupe() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' word words='' files=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${commands
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      ' ${path}') path=' ${path}' ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${commands
  .map(
    (command) =>
      `    '${command.path && ` ${command.path}`}') words='${plainWords(command).join(' ')}'${command.argument.isFile ? ' files=1' : ''} ;;`,
  )
  .join('\n')}
  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(grep -o -- '--[^ ]*' <<< "$words")" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$(sed 's/--[^ ]*//g' <<< "$words")" -- "$current")
    [[ -n $files ]] && mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _troupe troupe
`;

const zsh = (commands: CommandWords[]): string => `#compdef troupe
# zsh completion of troupe
_troupe() {
  local path='' word
  local -a words_ options_
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$path $word" in
${commands
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      ' ${path}') path=' ${path}' ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${commands
  .map(
    (command) => `    '${command.path && ` ${command.path}`}')
      words_=(${described(command.commands)}${command.argument.words.map((word) => ` '${word}'`).join('')})
      options_=(${described(command.options)})${command.argument.isFile ? '\n      _files' : ''} ;;`,
  )
  .join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe option options_
  elif (( \${#words_} )); then
    _describe command words_
  fi
}
if [[ $funcstack[1] == _troupe ]]; then _troupe "$@"; else compdef _troupe troupe; fi
`;

const fish = (commands: CommandWords[]): string =>
  [
    '# fish completion of troupe',
    'complete -c troupe -f',
    ...commands.flatMap(({ path, commands: below, options, argument }) => {
      const words = path.split(' ').filter(Boolean);
      const condition = [
        ...words.map((word) => `__fish_seen_subcommand_from ${word}`),
        ...(below.length > 0
          ? [`not __fish_seen_subcommand_from ${below.map(({ name }) => name).join(' ')}`]
          : []),
      ].join('; and ');
      const line = (flags: string) =>
        `complete -c troupe${condition && ` -n '${condition}'`} ${flags}`;
      return [
        ...below.map(({ name, meaning }) => line(`-a ${name} -d '${quoted(meaning)}'`)),
        ...argument.words.map((word) => line(`-a ${word}`)),
        ...options.map(({ name, meaning }) => line(`-l ${name.slice(2)} -d '${quoted(meaning)}'`)),
        ...(argument.isFile ? [line('-F')] : []),
      ];
    }),
    '',
  ].join('\n');

const plainWords = ({ commands, options, argument }: CommandWords): string[] => [
  ...commands.map(({ name }) => name),
  ...argument.words,
  ...options.map(({ name }) => name),
];

/** zsh reads `word:meaning`. */
const described = (words: Word[]): string =>
  words.map(({ name, meaning }) => `'${name}:${zshQuoted(meaning)}'`).join(' ');

const zshQuoted = (text: string): string => text.replaceAll("'", `'\\''`).replaceAll(':', '\\:');
const quoted = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
