import { defineMessages } from '../messages/messages'

/** What the service says of the administration alone; its pages bring it along. */
export const refusalTexts = defineMessages({
  en: {
    'Username, email or network name already exists':
      'There is an account with this username or this e-mail address. Choose another one.',
    'You cannot change your own role': 'Only another administrator can change your role.',
    'You cannot deactivate your own account': 'Only another administrator can disable your account.',
    'You cannot delete your own account': 'You delete your own account in the settings.',
    'Only disabling is allowed': 'Only the user can turn the sign-in by password off.',
  },
  de: {
    'Username, email or network name already exists':
      'Ein Konto mit diesem Benutzernamen oder dieser E-Mail-Adresse gibt es schon. Bitte andere wählen.',
    'You cannot change your own role': 'Die eigene Rolle kann nur ein anderes Administrationskonto ändern.',
    'You cannot deactivate your own account':
      'Das eigene Konto kann nur ein anderes Administrationskonto abschalten.',
    'You cannot delete your own account': 'Das eigene Konto lässt sich in den Einstellungen löschen.',
    'Only disabling is allowed': 'Die Anmeldung mit dem Passwort lässt sich nur vom Konto selbst abschalten.',
  },
})
