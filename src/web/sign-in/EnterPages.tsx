import { Route, Switch } from 'wouter'
import { PATTERNS } from '../app/addresses'
import { ChangePasswordPage } from './ChangePasswordPage'
import { RegisterPage } from './RegisterPage'
import { SecondFactorPage } from './SecondFactorPage'
import { SetUpFactorPage } from './SetUpFactorPage'
import { SetupPage } from './SetupPage'
import { SignInPage } from './SignInPage'

/** The pages on the way in, by the address. `App` lets only those through that fit the session. */
export function EnterPages() {
  return (
    <Switch>
      <Route path={PATTERNS.setup} component={SetupPage} />
      <Route path={PATTERNS.register} component={RegisterPage} />
      <Route path={PATTERNS.secondFactor} component={SecondFactorPage} />
      <Route path={PATTERNS.secondFactorSetUp} component={SetUpFactorPage} />
      <Route path={PATTERNS.changePassword} component={ChangePasswordPage} />
      <Route component={SignInPage} />
    </Switch>
  )
}
