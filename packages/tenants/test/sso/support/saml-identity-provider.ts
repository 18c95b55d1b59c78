import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import samlify from "samlify";
import { answerCalls } from "test-kit/processes";

/** The contents of an assertion and its recipient. */
export type AssertionInput = {
	nameID: string;
	audience: string;
	recipient: string;
	/** without one, the response belongs to no request */
	inResponseTo?: string;
	/** whether this provider's key signs it, or another one */
	isForged?: boolean;
};

export type SamlIdentityProvider = {
	describe: () => Promise<{ entityID: string; cert: string; entryPoint: string }>;
	respond: (input: AssertionInput) => Promise<string>;
};

const ENTITY_ID = "https://idp.corp.example/saml";

/** A key and its self-signed certificate, for one run. */
const makeKey = () => {
	const folder = mkdtempSync(join(tmpdir(), "tenants-saml-"));
	const at = (name: string) => join(folder, name);
	try {
		const files = ["-keyout", at("key.pem"), "-out", at("cert.pem")];
		const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=idp", ...files];
		execFileSync("openssl", request, { stdio: "pipe" });
		return { key: readFileSync(at("key.pem"), "utf8"), cert: readFileSync(at("cert.pem"), "utf8") };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
};

const bare = (pem: string): string => pem.replace(/-----[A-Z ]+-----|\s/g, "");

const own = makeKey();
const stranger = makeKey();

const xml = ({ nameID, audience, recipient, inResponseTo }: AssertionInput): string => {
	const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
	const answers = inResponseTo ? ` InResponseTo="${inResponseTo}"` : "";
	const issuer = `<saml:Issuer>${ENTITY_ID}</saml:Issuer>`;
	const email = `<saml:Attribute Name="email" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic"><saml:AttributeValue>${nameID}</saml:AttributeValue></saml:Attribute>`;
	const assertion = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${at(0)}">${issuer}<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${nameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${at(5)}" Recipient="${recipient}"${answers}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(-5)}" NotOnOrAfter="${at(5)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}" SessionIndex="_${randomUUID()}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${email}</saml:AttributeStatement></saml:Assertion>`;
	return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${at(0)}" Destination="${recipient}"${answers}>${issuer}<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertion}</samlp:Response>`;
};

/** Signs the assertion, the default of identity providers. */
const sign = (rawSamlMessage: string, { key, cert }: { key: string; cert: string }): string =>
	samlify.SamlLib.constructSAMLSignature({
		rawSamlMessage,
		privateKey: key,
		signatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
		signingCert: bare(cert),
		isBase64Output: true,
		referenceTagXPath: "/*[local-name(.)='Response']/*[local-name(.)='Assertion']",
		signatureConfig: {
			prefix: "ds",
			location: {
				reference: "/*[local-name(.)='Response']/*[local-name(.)='Assertion']/*[local-name(.)='Issuer']",
				action: "after",
			},
		},
	});

answerCalls(
	{
		describe: async () => ({ entityID: ENTITY_ID, cert: own.cert, entryPoint: "https://idp.corp.example/saml/sso" }),
		respond: async (input: AssertionInput) => sign(xml(input), input.isForged ? stranger : own),
	} satisfies SamlIdentityProvider,
	async () => {},
);
