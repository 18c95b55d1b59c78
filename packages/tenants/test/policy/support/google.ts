import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { onTestFinished } from "vitest";

const GOOGLE_KEYS = "https://www.googleapis.com/oauth2/v3/certs";

/** Serves Google's keys, and signs ID tokens as Google does. Other calls stay what they are. */
export const useGoogle = async () => {
	const { publicKey, privateKey } = await generateKeyPair("RS256");
	const keys = [{ ...(await exportJWK(publicKey)), kid: "google", alg: "RS256", use: "sig" }];
	const network = globalThis.fetch;
	globalThis.fetch = async (input, init) =>
		String(input instanceof Request ? input.url : input) === GOOGLE_KEYS
			? Response.json({ keys })
			: network(input, init);
	onTestFinished(() => {
		globalThis.fetch = network;
	});
	return (email: string): Promise<string> =>
		new SignJWT({ email, email_verified: true, name: "Ada", sub: `google-${email}` })
			.setProtectedHeader({ alg: "RS256", kid: "google" })
			.setIssuer("https://accounts.google.com")
			.setAudience("google-client")
			.setIssuedAt()
			.setExpirationTime("5m")
			.sign(privateKey);
};
