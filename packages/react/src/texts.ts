/**
 * Every text of the components, in English. Spread it to change some of them.
 *
 * @example
 * ```tsx
 * const texts: Texts = { ...ENGLISH_TEXTS, signIn: "Log in" };
 * const App = () => (
 * 	<TenantProvider authClient={authClient} texts={texts}>
 * 		<SignIn />
 * 	</TenantProvider>
 * );
 * ```
 */
export const ENGLISH_TEXTS = {
	loading: "Loading…",
	retry: "Try again",
	back: "Back",
	or: "or",
	email: "Email",
	emailOrUsername: "Email or username",
	password: "Password",
	newPassword: "New password",
	name: "Name",
	code: "Code",
	backupCode: "Backup code",

	signIn: "Sign in",
	forgotPassword: "Forgot your password?",
	noAccount: "New here?",
	createAccount: "Create an account",
	continueWith: (provider: string) => `Continue with ${provider}`,
	continueWithSso: (id: string) => `Continue with single sign-on (${id})`,
	continueAnonymously: "Continue without an account",
	usePasskey: "Use a passkey",
	useEmailLink: "Email me a link",
	useEmailCode: "Email me a code",
	usePassword: "Use your password",
	noMethods: "There is no way to sign in here yet.",

	emailLinkIntro: "Enter your email address. We will send you a link to sign in.",
	sendLink: "Send the link",
	linkSent: (email: string) => `If ${email} can sign in here, a link is on its way. Check your inbox.`,
	emailCodeIntro: "Enter your email address. We will send you a code to sign in.",
	sendCode: "Send the code",
	codeSent: (email: string) => `If ${email} can sign in here, a code is on its way.`,

	totpIntro: "Enter the code from your authenticator app.",
	otpIntro: "We sent you a code. Enter it here.",
	otpOffer: "We can send you a code by email.",
	backupIntro: "Enter one of the backup codes that you saved. Each works once.",
	confirm: "Confirm",
	trustDevice: "Trust this device",
	useTotp: "Use your authenticator app",
	useOtp: "Get a code by email",
	useBackup: "Use a backup code",
	enroll: "A second factor is required here. Set one up to continue.",

	signUp: "Create account",
	haveAccount: "Already have an account?",
	signUpClosed: "You cannot create an account here yourself. Ask for an invitation.",
	verifyEmail: (email: string) => `We sent a message to ${email}. Open its link to continue.`,

	forgotIntro: "Enter your email address. We will send you a link to choose a new password.",
	resetSent: (email: string) => `If there is an account for ${email}, a link to choose a new password is on its way.`,
	savePassword: "Save the password",
	passwordSaved: "Your password is changed. Sign in with it.",

	invitation: (tenant: string, email: string) => `You are invited to ${tenant} as ${email}.`,
	accept: "Accept the invitation",
	accepted: "You accepted the invitation.",

	tenants: "Your organizations",
	accountMenu: (name: string) => `Account of ${name}`,
	account: "Account",
	signOut: "Sign out",

	errors: {
		missing: "Fill this in.",
		emailInvalid: "Enter an email address, such as ada@example.com.",
		wrongPassword: "Email or password is wrong.",
		emailNotVerified: "Your email address is not confirmed. Open the link in the message that we sent you.",
		passwordShort: "This password is too short. Choose a longer one.",
		passwordLong: "This password is too long. Choose a shorter one.",
		passwordWeak: "This password is too easy to guess, or known from a data breach. Choose another one.",
		accountExists: "There is already an account for this address. Sign in instead.",
		codeWrong: "This code is wrong or no longer valid. Check it, or get a new one.",
		codeExpired: "This code has expired. Get a new one.",
		tooManyCodes: "Too many wrong codes. Sign in again later.",
		startAgain: "This took too long. Sign in again.",
		linkInvalid: "This link no longer works. Get a new one.",
		invitationInvalid: "This invitation no longer works. Ask for a new one.",
		invitationSignIn: "Sign in with the invited address first. Then open the invitation link again.",
		invitationPassword: "Enter your password to accept the invitation.",
		invitationOther: "The invitation is for another address. Sign in with the invited one.",
		banned: "This account is suspended.",
		tenantSuspended: "Nobody can sign in here at the moment.",
		methodNotAllowed: "You cannot sign in this way here. Use another method.",
		networkNotAllowed: "You cannot sign in from this network.",
		emailDomainNotAllowed: "This email domain is not allowed here. Use another address.",
		signUpNotAllowed: "You cannot create an account here. Ask for an invitation.",
		otherTenant: "You are signed in to another organization. Sign out there first.",
		cancelled: "You did not finish. Try again, or use another method.",
		providerFailed: "That did not work. Try again, or use another method.",
		tooManyRequests: "Too many attempts. Try again later.",
		unavailable: "The server is busy. Try again in a moment.",
		offline: "The server does not respond. Check your connection and try again.",
		failed: "Something went wrong. Try again.",
	},
};

/**
 * The texts of the components. All of them are required, so a missing translation does not compile.
 *
 * @example
 * ```tsx
 * const texts: Texts = { ...ENGLISH_TEXTS, email: "Work email" };
 * ```
 */
export type Texts = typeof ENGLISH_TEXTS;
