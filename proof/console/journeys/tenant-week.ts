import { startIdentityProvider } from "test-kit/identity-provider";
import type { Journey } from "../journey.ts";
import { signInAtTenant } from "../sign-in.ts";
import { changeBranding } from "./tenant-week/branding.ts";
import { collectCalls } from "./tenant-week/calls.ts";
import { showHostileTexts } from "./tenant-week/hostile-texts.ts";
import { lookAround } from "./tenant-week/look-around.ts";
import { helpAndRemove } from "./tenant-week/lost-phone.ts";
import { repeatAsNeighbor } from "./tenant-week/neighbor.ts";
import { changePolicy } from "./tenant-week/policy.ts";
import { addProvider, deleteProvider } from "./tenant-week/provider.ts";
import { revokeInvitation } from "./tenant-week/revoke-invitation.ts";
import { banAndErase, inviteAndPromote } from "./tenant-week/users.ts";

const PERSON = { sub: "tester", email: "tester@idp.example", name: "Tess Tester", email_verified: true };

/** What an owner of Acme does in a week, and an admin of Globex who tries the same calls for Acme. */
export const tenantWeekJourney: Journey = {
	name: "tenant week",
	walk: async (walk) => {
		const { world, open } = walk;
		const idp = await startIdentityProvider();
		try {
			const page = await open(world.acme.origin, async (url) =>
				url.startsWith(idp.gitlab.issuer) ? idp.authorize(url, PERSON) : null,
			);
			const calls = collectCalls(page);
			await signInAtTenant(page, world.acme);
			const invited = await inviteAndPromote(walk, page);
			await revokeInvitation(walk, page);
			await banAndErase(walk, page);
			await helpAndRemove(walk, page);
			await addProvider(walk, page, idp);
			await changePolicy(walk, page);
			await deleteProvider(walk, page);
			await changeBranding(walk, page);
			await showHostileTexts(walk, page);
			await lookAround(walk, page, invited);
			await repeatAsNeighbor(walk, calls);
		} finally {
			await idp.close();
		}
	},
};
