import { useState, useSyncExternalStore } from 'react'
import {
  Button,
  ComboBox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from 'react-aria-components'
import { AriaLanguage } from './AriaLanguage'
import type { FieldTexts } from './FieldBox'
import { Icon } from './Icon'
import { topmostDialog } from './open-dialogs'
import type { Option } from './Select'

export interface ComboboxProps extends FieldTexts {
  /** At most 200; of more, give those that match what is typed. */
  readonly options: readonly Option[]
  /** The value that is chosen; empty when there is none. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** Called with what is typed. With it the options are the caller's business and are not filtered here. */
  readonly onType?: (text: string) => void
  /** Takes what is typed as a value of its own, such as a time that the list does not have. */
  readonly allowsOwn?: boolean
  readonly isDisabled?: boolean
  readonly placeholder?: string
}

/** The combobox itself, fetched when the first one is shown. */
export function ComboboxList(props: ComboboxProps) {
  const { label, hint, problem, options, onType, allowsOwn = false, isDisabled = false, placeholder } = props
  const dialog = useSyncExternalStore(topmostDialog.subscribe, topmostDialog.read)
  const { chosen, text, setText, choose, takeOwn } = useChoice(props)
  return (
    <AriaLanguage>
      <ComboBox
        className="field"
        value={chosen}
        onChange={choose}
        inputValue={text}
        onInputChange={(typed) => {
          setText(typed)
          onType?.(typed)
        }}
        {...(onType && { defaultFilter: () => true })}
        allowsCustomValue={allowsOwn}
        allowsEmptyCollection={false}
        isInvalid={problem !== undefined}
        isDisabled={isDisabled}
        onBlur={takeOwn}
      >
        <Label>{label}</Label>
        <span className="select">
          <Input className="input" placeholder={placeholder ?? ''} />
          <Button className="combobox-open">
            <Icon name="chevron-down" />
          </Button>
        </span>
        {hint !== undefined && (
          <Text slot="description" className="field-hint">
            {hint}
          </Text>
        )}
        <FieldError className="field-problem">{problem}</FieldError>
        <Popover className="popover" {...(dialog && { UNSTABLE_portalContainer: dialog })}>
          <Offers options={options} />
        </Popover>
      </ComboBox>
    </AriaLanguage>
  )
}

function Offers({ options }: Pick<ComboboxProps, 'options'>) {
  return (
    <ListBox className="menu">
      {options.slice(0, 200).map((option) => (
        <ListBoxItem
          key={option.value}
          id={option.value}
          textValue={option.label}
          className="menu-item menu-option"
        >
          {option.label}
        </ListBoxItem>
      ))}
    </ListBox>
  )
}

/** The text in the field beside the value that it stands for: they differ only while somebody types. */
function useChoice({ options, value, onChange, allowsOwn = false }: ComboboxProps) {
  const listed = options.find((option) => option.value === value)
  const shown = listed?.label ?? value
  const [text, setText] = useState(shown)
  const [before, setBefore] = useState(shown)
  if (shown !== before) {
    setBefore(shown)
    setText(shown)
  }
  return {
    chosen: listed ? value : null,
    text,
    setText,
    choose: (key: string | number | null) => {
      const option = options.find((each) => each.value === key)
      if (!option) return
      setText(option.label)
      onChange(option.value)
    },
    takeOwn: () => {
      const typed = text.trim()
      if (allowsOwn && typed !== shown) onChange(options.find(({ label }) => label === typed)?.value ?? typed)
    },
  }
}
