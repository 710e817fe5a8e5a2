/** Exports in the manner of the address books that people use; the structure is theirs, the people are not. */

const crlf = (text: string) => text.trimStart().replaceAll('\n', '\r\n')

const PICTURE =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL='

/** Contacts on macOS and iOS: 3.0, grouped labels, a birthday without a year under 1604, the picture folded. */
export const APPLE = crlf(`
BEGIN:VCARD
VERSION:3.0
PRODID:-//Apple Inc.//macOS 14.4//EN
N:Lovelace;Ada;Augusta;Countess;
FN:Countess Ada Augusta Lovelace
NICKNAME:Enchantress
ORG:Analytical Engines\\, Ltd.;Research;
TITLE:Programmer
EMAIL;type=INTERNET;type=HOME;type=pref:ada@example.org
item1.EMAIL;type=INTERNET:countess@example.net
item1.X-ABLabel:_$!<Other>!$_
TEL;type=HOME;type=VOICE;type=pref:+44 20 7946 0001
TEL;type=CELL;type=VOICE:+44 7700 900001
item2.ADR;type=HOME;type=pref:;;12 St James's Square\\nFlat 2;London;;SW1Y 4JH;England
item2.X-ABADR:gb
item3.X-ABDATE;type=pref:1835-07-08
item3.X-ABLabel:_$!<Anniversary>!$_
BDAY;X-APPLE-OMIT-YEAR=1604:1604-12-10
NOTE:Notes on the engine:\\n\\n- loops\\, tables\\; and a "Bernoulli" number
PHOTO;ENCODING=b;TYPE=JPEG:${PICTURE.slice(0, 40)}
 ${PICTURE.slice(40, 100)}
 ${PICTURE.slice(100)}
UID:8F1D2C3B-0001-4000-8000-AABBCCDDEEFF:ABPerson
END:VCARD
BEGIN:VCARD
VERSION:3.0
N:;;;;
FN:The Royal Society
ORG:The Royal Society;
X-ABShowAs:COMPANY
TEL;type=WORK;type=VOICE:+44 20 7946 0002
UID:8F1D2C3B-0002-4000-8000-AABBCCDDEEFF:ABPerson
END:VCARD
`)

/** Google Contacts: 3.0 without UIDs, categories as groups, labels as grouped properties. */
export const GOOGLE = crlf(`
BEGIN:VCARD
VERSION:3.0
FN:Grace Hopper
N:Hopper;Grace;;;
EMAIL;TYPE=INTERNET;TYPE=WORK:grace@example.com
TEL;TYPE=CELL:+1 555 0100
item1.TEL:+1 555 0101
item1.X-ABLabel:Office
item2.URL:https\\://example.com/grace
item2.X-ABLabel:PROFILE
BDAY:19061209
CATEGORIES:Friends,Navy
NOTE:Invented the compiler
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:
N:;;;;
EMAIL;TYPE=INTERNET:only-a-mail@example.com
CATEGORIES:Other
END:VCARD
`)

/** Outlook: 2.1, bare types, QUOTED-PRINTABLE in Latin-1 with soft line breaks, a picture in BASE64. */
export const OUTLOOK = crlf(`
BEGIN:VCARD
VERSION:2.1
N;LANGUAGE=de;CHARSET=Windows-1252;ENCODING=QUOTED-PRINTABLE:M=FCller;J=FCrgen
FN;CHARSET=Windows-1252;ENCODING=QUOTED-PRINTABLE:J=FCrgen M=FCller
ORG:Example, Inc.;Sales
TITLE:Manager
NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=Windows-1252:First line=0D=0AA second line that is so long that it does not =
fit; it costs 5 =80
TEL;WORK;VOICE:(555) 010-0200
TEL;CELL;VOICE:(555) 010-0201
TEL;WORK;FAX:(555) 010-0202
ADR;WORK;PREF;ENCODING=QUOTED-PRINTABLE:;;Hauptstra=DFe 1=0D=0AHinterhaus;Berlin;;10115;Germany
LABEL;WORK;PREF;ENCODING=QUOTED-PRINTABLE:Hauptstra=DFe 1=0D=0A10115 Berlin
X-MS-OL-DEFAULT-POSTAL-ADDRESS:2
URL;WORK:http://www.example.com/a,b
BDAY:19720229
EMAIL;PREF;INTERNET:juergen@example.com
PHOTO;TYPE=JPEG;ENCODING=BASE64:
 ${PICTURE.slice(0, 60)}
 ${PICTURE.slice(60)}

X-MS-OL-DESIGN;CHARSET=utf-8:<card xmlns="http://schemas.microsoft.com/office/outlook/12/electronicbusinesscards" ver="1.0"/>
REV:20240102T030405Z
END:VCARD
`)

/** Thunderbird: 4.0, PREF, VALUE, dates of the basic form. */
export const THUNDERBIRD = crlf(`
BEGIN:VCARD
VERSION:4.0
UID:4a5b6c7d-0003-4000-8000-aabbccddeeff
FN:Alan Turing
N:Turing;Alan;Mathison;;
NICKNAME:Prof,Al
EMAIL;PREF=1:alan@example.org
EMAIL;TYPE=work:turing@example.net
TEL;TYPE=cell;VALUE=uri:tel:+44-7700-900003
TEL;TYPE="voice,home";VALUE=TEXT:+44 20 7946 0003
BDAY;VALUE=DATE:--0623
ANNIVERSARY;VALUE=DATE:19360528
ADR;LABEL="King's College\\nCambridge":;;King's Parade;Cambridge;Cambs,East;CB2 1ST;England
ORG:Bletchley Park;Hut 8
TZ;VALUE=TEXT:Europe/London
IMPP:xmpp:alan@example.org
CUSTOM1;VALUE=TEXT:machines\\, who think
X-ODD;X-Q="a;b:c":kept \\\\ whole
END:VCARD
`)

export const ADDRESS_BOOKS = { APPLE, GOOGLE, OUTLOOK, THUNDERBIRD }
