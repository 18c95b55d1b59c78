import { type IdentityProvider, startIdentityProvider } from "test-kit/identity-provider";
import { answerCalls } from "test-kit/processes";

// An identity provider in a separate process, so that its work is not measured.

let provider: IdentityProvider | null = null;
const running = (): IdentityProvider => {
	if (!provider) throw new Error("start it first");
	return provider;
};

const calls = {
	start: async () => {
		provider = await startIdentityProvider();
		return provider.gitlab;
	},
	addClient: async (client: Parameters<IdentityProvider["addClient"]>[0]) => running().addClient(client),
};

export type IdentityServer = typeof calls;

answerCalls(calls, async () => provider?.close());
