/**
 * Small parts that several pages share. They come with the first file: the bundler makes a file of its own for each set of pages that
 * share something, and a request costs more than they weigh.
 */
/* oxlint-disable import/no-unassigned-import */
import '../api/use-answer'
import '../app/Gone'
import './Avatar'
import './Checkbox'
import './ConfirmDialog'
import './CopyButton'
import './Dialog'
import './Field'
import './Select'
import './Status'
import './SuggestField'
import './TextArea'
import './use-handing-on'
