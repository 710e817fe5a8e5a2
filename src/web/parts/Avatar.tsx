/** The first letter of a name, as an ornament beside it. */
export function Avatar({ name }: { readonly name: string }) {
  return (
    <span className="avatar" aria-hidden="true">
      {String.fromCodePoint(name.codePointAt(0) ?? 0x20).toLocaleUpperCase()}
    </span>
  )
}
