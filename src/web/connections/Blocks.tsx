import { useState } from 'react'
import type { BlockView } from '../../features/people/blocks/model'
import { refusalOf } from '../api/refusal'
import { useAnswer } from '../api/use-answer'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useRefusals } from '../messages/refusals'
import { Avatar } from '../parts/Avatar'
import { Button } from '../parts/Button'
import { ConfirmDialog } from '../parts/ConfirmDialog'
import { Field } from '../parts/Field'
import { FormAlert } from '../parts/Form'
import { ItemList } from '../parts/ItemList'
import { announce } from '../parts/messages-store'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { useForm } from '../parts/use-form'
import { useRowsOf } from '../store/use-store'
import { blockUser, readBlocks, unblockUser } from './calls'
import { connectionTexts } from './texts'

const messages = defineMessages({
  en: {
    title: 'Blocked',
    nobody: 'You have blocked nobody.',
    unblock: 'Unblock',
    who: 'Network name to block',
    missing: 'Fill this in.',
  },
  de: {
    title: 'Blockiert',
    nobody: 'Niemand ist blockiert.',
    unblock: 'Freigeben',
    who: 'Zu blockierender Netzwerkname',
    missing: 'Bitte ausfüllen.',
  },
})

/** Whom the user has blocked, a way to unblock them, and to block somebody by name. */
export function Blocks() {
  const m = useMessages(messages)
  const { value: blocks, refusal, again, amend } = useAnswer(readBlocks)
  // Blocks are no records of the feed, but what they end is.
  useRowsOf('connection', again)
  useRowsOf('connection_request', again)
  const unblock = useUnblocking(amend)
  return (
    <section aria-labelledby="blocked-title">
      <h2 id="blocked-title">{m.title}</h2>
      {refusal && <ProblemNote refusal={refusal} onTryAgain={again} />}
      {!blocks && !refusal && <Skeleton lines={1} />}
      {blocks?.length === 0 && <p className="field-hint">{m.nobody}</p>}
      {blocks && blocks.length > 0 && (
        <ItemList
          label={m.title}
          lineHeight={52}
          items={blocks.map((block) => ({ key: String(block.id), block }))}
        >
          {({ block }) => (
            <div className="share">
              <Avatar name={block.network_name} />
              <span id={`block-${block.id}`} className="share-name">
                {block.network_name}
              </span>
              <Button aria-describedby={`block-${block.id}`} onClick={() => void unblock(block)}>
                {m.unblock}
              </Button>
            </div>
          )}
        </ItemList>
      )}
      <BlockForm onBlocked={again} />
    </section>
  )
}

type Blocked = readonly BlockView[]

/** Unblocks at once; "Undo" blocks again. What the block ended does not come back either way. */
function useUnblocking(amend: (change: (blocks: Blocked) => Blocked) => void) {
  const texts = useMessages(connectionTexts)
  const { sentence } = useRefusals()
  const attempt = async (step: () => Promise<void>) => {
    try {
      await step()
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      announce({ text: sentence(refusal), isError: true })
    }
  }
  return ({ id, network_name: name }: BlockView) => {
    const blockAgain = () =>
      attempt(async () => {
        const { body } = await blockUser(name)
        amend((blocks) => [...blocks, body])
      })
    return attempt(async () => {
      await unblockUser(id)
      amend((blocks) => blocks.filter((each) => each.id !== id))
      announce({ text: texts.unblocked(name), undo: () => void blockAgain() })
    })
  }
}

/** Blocks somebody by name, after it has asked. */
function BlockForm({ onBlocked }: { readonly onBlocked: () => void }) {
  const m = useMessages(messages)
  const texts = useMessages(connectionTexts)
  const { form, asked, settle } = useBlockForm(onBlocked)
  return (
    <form {...form.props} className="ask-form">
      <FormAlert form={form} />
      <Field
        label={m.who}
        name="blocked"
        maxLength={32}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        problem={form.problems['blocked']}
      />
      <Button type="submit" isBusy={form.isBusy || form.waitSeconds > 0}>
        {texts.block}
      </Button>
      {asked && (
        <ConfirmDialog
          title={texts.block}
          action={texts.block}
          onConfirm={() => settle(true)}
          onClose={() => settle(false)}
        >
          <p>{texts.blockHint(asked.name)}</p>
        </ConfirmDialog>
      )}
    </form>
  )
}

interface BlockQuestion {
  readonly name: string
  readonly answer: (isSure: boolean) => void
}

function useBlockForm(onBlocked: () => void) {
  const m = useMessages(messages)
  const texts = useMessages(connectionTexts)
  const [asked, ask] = useState<BlockQuestion>()
  const form = useForm(
    async ({ blocked = '' }) => {
      const name = blocked.trim()
      const isSure = await new Promise<boolean>((answer) => ask({ name, answer }))
      if (!isSure) return
      const { body } = await blockUser(name)
      form.props.ref.current?.reset()
      announce({ text: texts.blocked(body.network_name) })
      onBlocked()
    },
    ({ blocked = '' }) => (blocked.trim() === '' ? { blocked: m.missing } : {}),
  )
  const settle = (isSure: boolean) => {
    ask(undefined)
    asked?.answer(isSure)
  }
  return { form, asked, settle }
}
