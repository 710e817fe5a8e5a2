import { linesWithoutControls, nfc, withoutControls, withoutStrayDirections } from '../text'

export const tidyLine = (value: string) => nfc(withoutStrayDirections(value).trim())

/** Cleans a line from a file, where control characters should not cause an error. */
export const cleanLine = (text: string) => tidyLine(withoutControls(text))

/** The same for several lines. */
export const cleanLines = (text: string) => tidyLine(linesWithoutControls(text))

/** Cleans a text of several lines; bidirectional controls do not reach beyond their line. */
export const tidyParagraphs = (value: string) => nfc(withoutStrayDirections(value))
