import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

type Options = { challenge: string };
/** The page that uses it: a fixed one, or the one that the browser shows when it signs. */
type Page = { origin: string | { toJSON: () => string }; rpId: string };

/**
 * A passkey in software: ES256, attestation "none" (WebAuthn Level 2, sections 6.5.1 and 8.7). It keeps one credential
 * and signs every challenge, like a phone after a fingerprint.
 */
export const createAuthenticator = ({ origin, rpId }: Page) => {
	const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
	const credentialId = randomBytes(32);
	const id = credentialId.toString("base64url");
	let counter = 0;

	const clientData = (type: string, challenge: string): Buffer =>
		Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
	/** rpId hash, flags (user present, and verified unless it cannot), counter, and the credential if it is new */
	const authenticatorData = (credential?: Buffer, verifiesUser = true): Buffer => {
		const count = Buffer.alloc(4);
		count.writeUInt32BE(++counter);
		const flags = Buffer.from([(credential ? 0x41 : 0x01) | (verifiesUser ? 0x04 : 0)]);
		return Buffer.concat([sha256(Buffer.from(rpId)), flags, count, credential ?? Buffer.alloc(0)]);
	};

	return {
		id,
		/** Turns /passkey/generate-register-options into the body of /passkey/verify-registration. */
		register: ({ challenge }: Options) => {
			const length = Buffer.alloc(2);
			length.writeUInt16BE(credentialId.length);
			const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)]);
			const attestation = cborMap([
				[cborText("fmt"), cborText("none")],
				[cborText("attStmt"), Buffer.from([0xa0])],
				[cborText("authData"), cborBytes(authenticatorData(credential))],
			]);
			return {
				id,
				rawId: id,
				type: "public-key",
				clientExtensionResults: {},
				response: {
					clientDataJSON: clientData("webauthn.create", challenge).toString("base64url"),
					attestationObject: attestation.toString("base64url"),
					transports: ["internal"],
				},
			};
		},
		/** Turns /passkey/generate-authenticate-options into the body of /passkey/verify-authentication. A security key without PIN verifies no user. */
		authenticate: ({ challenge }: Options, { verifiesUser = true } = {}) => {
			const data = authenticatorData(undefined, verifiesUser);
			const client = clientData("webauthn.get", challenge);
			const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
			return {
				id,
				rawId: id,
				type: "public-key",
				clientExtensionResults: {},
				response: {
					clientDataJSON: client.toString("base64url"),
					authenticatorData: data.toString("base64url"),
					signature: signature.toString("base64url"),
				},
			};
		},
	};
};

const sha256 = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest();

/** RFC 9053, section 7.1: kty EC2, alg ES256, crv P-256, x, y */
const coseKey = (key: KeyObject): Buffer => {
	const { x = "", y = "" } = key.export({ format: "jwk" });
	return cborMap([
		[Buffer.from([0x01]), Buffer.from([0x02])],
		[Buffer.from([0x03]), Buffer.from([0x26])],
		[Buffer.from([0x20]), Buffer.from([0x01])],
		[Buffer.from([0x21]), cborBytes(Buffer.from(x, "base64url"))],
		[Buffer.from([0x22]), cborBytes(Buffer.from(y, "base64url"))],
	]);
};

// RFC 8949: major type in the upper three bits, a short length in the lower five or in the next bytes
const cborHead = (major: number, length: number): Buffer => {
	if (length < 24) return Buffer.from([(major << 5) | length]);
	if (length < 256) return Buffer.from([(major << 5) | 24, length]);
	return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
};
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string): Buffer => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborMap = (entries: [Buffer, Buffer][]): Buffer =>
	Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
