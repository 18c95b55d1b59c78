import type { PagePath } from "../../lib/page-paths.ts";
import type { Page } from "../visit.ts";
import { acceptInvitationPage } from "./accept-invitation.ts";
import { checkEmailPage } from "./check-email.ts";
import { consentPage } from "./consent.ts";
import { continuePage } from "./continue.ts";
import { emailCodePage } from "./email-code.ts";
import { emailLinkPage, forgotPasswordPage } from "./mail-page.ts";
import { passkeyPage } from "./passkey.ts";
import { resetPasswordPage } from "./reset-password.ts";
import { setUpTwoFactorPage } from "./set-up-two-factor.ts";
import { signInPage } from "./sign-in.ts";
import { signedOutPage, signOutPage } from "./sign-out.ts";
import { signUpPage } from "./sign-up.ts";
import { signedInPage } from "./signed-in.ts";
import { twoFactorPage } from "./two-factor.ts";
import { verifiedPage } from "./verified.ts";

/** Every page. A path without one does not compile. */
export const PAGES: Record<PagePath, Page> = {
	"/sign-in": signInPage,
	"/continue": continuePage,
	"/passkey": passkeyPage,
	"/email-link": emailLinkPage,
	"/email-code": emailCodePage,
	"/two-factor": twoFactorPage,
	"/set-up-two-factor": setUpTwoFactorPage,
	"/sign-up": signUpPage,
	"/check-email": checkEmailPage,
	"/verified": verifiedPage,
	"/forgot-password": forgotPasswordPage,
	"/reset-password": resetPasswordPage,
	"/accept-invitation": acceptInvitationPage,
	"/consent": consentPage,
	"/signed-in": signedInPage,
	"/sign-out": signOutPage,
	"/signed-out": signedOutPage,
};
