import { cssVariables } from '../styles/variables'
import type { DaySpan } from '../time/days'
import { useMinute } from '../time/use-now'
import { minuteIn } from './layout/hours'

/** Where the day has come to. It alone moves with the minutes. */
export function NowLine({ span }: { readonly span: DaySpan }) {
  const top = minuteIn(span, useMinute())
  return <div className="now-line" aria-hidden="true" style={cssVariables({ '--top': top })} />
}
