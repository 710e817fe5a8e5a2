import { useId, useState } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Dialog } from '../parts/Dialog'
import { FileImport } from '../parts/FileImport'
import { Select } from '../parts/Select'
import { useBooks } from './data'
import { exportAddress, importPeople } from './files'
import type { PeopleFilters } from './filters'
import { peopleTexts } from './texts'

const messages = defineMessages({
  en: {
    title: 'Import and export',
    file: 'File of vCards (.vcf)',
    tooLarge: 'The file is larger than 10 MiB. Export it in parts, or without pictures.',
    export: 'Export',
    all: 'Download everybody as vCards (.vcf)',
    one: (book: string) => `Download ${book} (.vcf)`,
  },
  de: {
    title: 'Import und Export',
    file: 'vCard-Datei (.vcf)',
    tooLarge: 'Die Datei ist größer als 10 MiB. Ein Export in Teilen oder ohne Bilder hilft.',
    export: 'Exportieren',
    all: 'Alle Personen als vCards (.vcf) herunterladen',
    one: (book) => `${book} (.vcf) herunterladen`,
  },
})

interface FilesDialogProps {
  readonly filters: PeopleFilters
  readonly onClose: () => void
}

/** Brings people along from other programs, and takes them there. */
export function FilesDialog({ filters, onClose }: FilesDialogProps) {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const books = useBooks()
  const [chosen, choose] = useState(filters.book)
  const book = books.find(({ id }) => id === chosen) ?? books.find(({ is_default: isDefault }) => isDefault)
  return (
    <Dialog title={m.title} onClose={onClose}>
      <div className="people-files">
        <FileImport
          label={m.file}
          accept=".vcf,.vcard,text/vcard"
          tooLarge={m.tooLarge}
          send={(upload) => importPeople(book?.id, upload)}
        >
          {books.length > 1 && (
            <Select
              label={texts.book}
              options={books.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={String(book?.id)}
              onChange={(value) => choose(Number(value))}
            />
          )}
        </FileImport>
        <Export />
      </div>
    </Dialog>
  )
}

function Export() {
  const m = useMessages(messages)
  const id = useId()
  const books = useBooks()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{m.export}</h2>
      <ul>
        <li>
          <a href={exportAddress()} download>
            {m.all}
          </a>
        </li>
        {books.length > 1 &&
          books.map((book) => (
            <li key={book.id}>
              <a href={exportAddress(book.id)} download>
                {m.one(book.name)}
              </a>
            </li>
          ))}
      </ul>
    </section>
  )
}
