export interface Area {
  readonly name: string
  /** The sources that are changed. */
  readonly mutate: readonly string[]
  /** The tests that guard them; those without a database first, as the others only see what survives these. */
  readonly tests: ReadonlyArray<readonly string[]>
}

/** The guarded core, those areas first whose rules need no database. */
export const AREAS: readonly Area[] = [
  {
    name: 'recurrence',
    mutate: ['src/lib/recurrence/*.ts'],
    tests: [
      [
        'tests/unit/recurrence/*.test.ts',
        'tests/unit/occurrences.test.ts',
        'tests/unit/events-rules.test.ts',
      ],
    ],
  },
  {
    name: 'events',
    mutate: ['src/features/events/*/rules*.ts'],
    tests: [
      [
        'tests/unit/{event-details-rules,event-series-rules,event-times-rules,events-rules,occurrences,free-times,answer-sizes}.test.ts',
        'tests/unit/recurrence/{wall-time,series,text}.test.ts',
      ],
      ['tests/api/events/**/*.test.ts'],
    ],
  },
  {
    name: 'todos',
    mutate: ['src/features/tasks/{todos,todo-lists,tasks,projects}/rules*.ts'],
    tests: [
      ['tests/unit/{todos-rules,todo-texts-rules,tasks-rules}.test.ts'],
      ['tests/api/tasks/todos/*.test.ts', 'tests/dav/todo-{completion,series}.test.ts'],
    ],
  },
  {
    name: 'identity',
    mutate: ['src/features/identity/*/rules*.ts'],
    tests: [
      ['tests/unit/passwords-rules.test.ts', 'tests/unit/identity/*.test.ts'],
      ['tests/api/identity/**/*.test.ts'],
    ],
  },
  {
    name: 'sharing',
    mutate: [
      'src/features/people/{sharing,requests,linked-people}/rules*.ts',
      'src/features/calendars/calendars/rules.ts',
      'src/features/calendars/members/service.ts',
      'src/access/calendars/*.ts',
    ],
    tests: [
      ['tests/unit/sharing-rules.test.ts'],
      ['tests/api/calendars/{calendars,members}/*.test.ts', 'tests/api/people/connections/*.test.ts'],
    ],
  },
  {
    name: 'journal',
    mutate: ['src/access/journal/*.ts', 'src/features/overview/changes/rules*.ts'],
    tests: [
      ['tests/unit/{changes-rules,journal-rules}.test.ts'],
      [
        'tests/api/overview/changes/*.test.ts',
        'tests/jobs/purge-journal.test.ts',
        'tests/contract/journal.test.ts',
      ],
    ],
  },
  {
    name: 'dav',
    mutate: ['src/dav/{accept,address,conditions,destination,errors,resources,sign-in}.ts'],
    tests: [
      ['tests/unit/dav/{accept,address,conditions,errors,resources}.test.ts'],
      ['tests/dav/{moving,plain-http,sign-in}.test.ts'],
    ],
  },
  {
    name: 'access',
    mutate: [
      'src/access/{audit,connections,history,notices,operations,reader,sent-invitations}/*.ts',
      'src/access/{sessions,system-config,tokens,user-agents,versions}/*.ts',
    ],
    tests: [
      ['tests/unit/{access-rules,access-tokens,sessions-rules,security-notices}.test.ts'],
      [
        'tests/api/identity/**/*.test.ts',
        'tests/api/http/{guard,sliding,retries}.test.ts',
        'tests/api/overview/operations/*.test.ts',
        'tests/api/administration/audit/*.test.ts',
        'tests/api/calendars/members/{security,invites}.test.ts',
        'tests/api/people/connections/{connections,blocks}.test.ts',
        'tests/contract/versions.test.ts',
      ],
    ],
  },
]
