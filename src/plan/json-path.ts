/** Long enough to find the place; a name may be as long as the whole document. */
const longestName = 60;

/** `['steps', 1, 'args', 'my field']` as people write it: `steps[1].args["my field"]`. Always one printable line. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    const name = String(part);
    if (typeof part === 'number') text += `[${name}]`;
    else if (name.length <= longestName && /^[A-Za-z_$][\w$]*$/.test(name)) text += text ? `.${name}` : name;
    else text += `[${quote(name)}]`;
  }
  return text;
}

function quote(name: string): string {
  const start = name.length > longestName ? `${name.slice(0, longestName)}…` : name;
  return JSON.stringify(start).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}
