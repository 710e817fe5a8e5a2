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
        'tests/unit/event-series-rules.test.ts',
      ],
    ],
  },
  {
    name: 'events',
    mutate: ['src/features/events/*/rules*.ts'],
    tests: [
      [
        'tests/unit/{event-clocks-rules,event-details-rules,event-series-rules,event-splits-rules,event-times-rules,events-rules,occurrences,free-times,answer-sizes}.test.ts',
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
      ['tests/api/tasks/{todos,todo-lists}/*.test.ts', 'tests/dav/todo-{completion,series}.test.ts'],
    ],
  },
  {
    name: 'identity',
    mutate: ['src/features/identity/*/rules*.ts', 'src/features/identity/oidc/service.{logout,refusals}.ts'],
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
      [
        'tests/api/calendars/calendars/calendars.test.ts',
        'tests/api/calendars/members/{calendars,events,invites,life,members,permissions.proof,races.proof,room-for-owners,security}.test.ts',
        'tests/api/people/connections/{connections,life,linked-people,requests,settled}.test.ts',
        'tests/api/events/invitations/daily-bound.test.ts',
        'tests/api/overview/changes/sharing.test.ts',
        'tests/api/overview/export/account.test.ts',
        'tests/contract/retries.test.ts',
        'tests/dav/{collections,properties}.test.ts',
        'tests/jobs/push-{shared,visibility}.test.ts',
      ],
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
        'tests/contract/journal.proof.test.ts',
      ],
    ],
  },
  {
    name: 'dav',
    mutate: ['src/dav/{accept,address,conditions,destination,errors,resources,sign-in}.ts'],
    tests: [
      ['tests/unit/dav/{accept,address,conditions,errors,resources}.test.ts'],
      ['tests/dav/{discovery,moving,plain-http,properties,reading,sign-in,statuses,writing}.test.ts'],
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
        'tests/api/identity/{active-sessions,sessions,sign-in,tokens}/*.test.ts',
        'tests/api/identity/accounts/{delete-account,password,register}.test.ts',
        'tests/api/identity/*/{manage,proof,settings,totp}.test.ts',
        'tests/api/http/{guard,metrics,retries,sliding,unclaimed-host}.test.ts',
        'tests/api/overview/operations/{kept,list,undo,waiting}.test.ts',
        'tests/api/overview/trash/{expiry,trash}.test.ts',
        'tests/api/administration/{audit,config}/*.test.ts',
        'tests/api/administration/users/role-and-active.test.ts',
        'tests/api/calendars/members/{events,invites,security}.test.ts',
        'tests/api/events/invitations/daily-bound.test.ts',
        'tests/api/notifications/notifications/*.test.ts',
        'tests/api/people/connections/{blocks,connections,life}.test.ts',
        'tests/contract/{retries,versions}.test.ts',
        'tests/dav/{principals,sign-in}.test.ts',
        'tests/jobs/purge.test.ts',
      ],
      // Nearly every test passes these places, so that those that are about them would have no turn: they are tried by themselves.
      [
        'tests/api/calendars/files/ended-meanwhile.test.ts',
        'tests/api/events/events/history.test.ts',
        'tests/api/events/invitations/invite.test.ts',
        'tests/api/identity/accounts/races.test.ts',
        'tests/api/identity/oidc/{linking,logout,sign-in}.test.ts',
        'tests/api/identity/sessions/{ended-meanwhile,logout,malformed,status}.test.ts',
        'tests/api/identity/settings/identity.test.ts',
        'tests/api/identity/tokens/use.test.ts',
        'tests/api/notifications/notifications/security.test.ts',
        'tests/api/overview/batch/batch.test.ts',
        'tests/api/overview/operations/kept.test.ts',
        'tests/api/people/connections/{connections,requests}.test.ts',
        'tests/mcp/calls.test.ts',
      ],
      ['tests/api/http/metrics.test.ts'],
      ['tests/api/http/retries.test.ts'],
      ['tests/api/http/sliding.test.ts'],
      ['tests/api/calendars/members/events.test.ts'],
      ['tests/api/events/invitations/daily-bound.test.ts'],
      ['tests/api/identity/sessions/waiting-writers.test.ts'],
      ['tests/api/notifications/notifications/merging.test.ts'],
    ],
  },
]
