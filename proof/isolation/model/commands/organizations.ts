import { refuses, refusesWith, succeeds, succeedsWith } from "../expectations.ts";
import { textAt } from "../http.ts";
import { claimOf } from "../state.ts";
import type { Plan } from "../step.ts";
import { member, ownStep } from "./build.ts";

/** Organizations of one tenant: created, read, joined by invitation. All tenants share their slugs. */
export const organize: Plan = (model, roll) => {
	const session = model.signedIn(roll);
	if (!session) return null;
	const { person, tenant } = session;
	const organizationId = roll.pick(person.organizations);
	if (organizationId === undefined || (person.organizations.length < 2 && roll.chance(20))) {
		const slug = `organization-${person.slot}-${person.organizations.length}-${model.operations}`;
		const body = { name: `${tenant.canary} organization`, slug, metadata: { note: tenant.canary } };
		return ownStep("organization.create", person, member(session, "POST", "/organization/create", { body }, roll), {
			check: succeedsWith("an organization", (json) => textAt(json, "slug") === slug),
			settle: ({ json }) => {
				person.organizations.push(textAt(json, "id"));
				model.ring.add({
					kind: "organization",
					tenant,
					slot: person.slot,
					value: textAt(json, "id"),
					to: person.email,
				});
			},
		});
	}
	switch (roll.below(4)) {
		case 0: {
			const query = { organizationId };
			return ownStep(
				"organization.get",
				person,
				member(session, "GET", "/organization/get-full-organization", { query }, roll),
				{
					check: succeedsWith("their own", (json) => textAt(json, "id") === organizationId),
					mayChange: [],
				},
			);
		}
		case 1: {
			const guest = roll.pick([...tenant.people.values()].filter((one) => one !== person));
			if (!guest) return null;
			const body = { email: guest.email, role: "admin", organizationId };
			return ownStep(
				"organization.invite",
				person,
				member(session, "POST", "/organization/invite-member", { body }, roll),
				{
					claims: [claimOf(person), claimOf(guest)],
					// invited users and members are not invited again
					check: (answer) => (succeeds(answer) && refusesWith(400)(answer) ? `answered ${answer.status}` : null),
					settle: ({ json }) => {
						const value = textAt(json, "id");
						if (value === "") return;
						model.ring.add({
							kind: "invitation",
							tenant,
							slot: guest.slot,
							value,
							to: guest.email,
							userId: guest.userId,
						});
					},
				},
			);
		}
		case 2: {
			const body = { organizationId, data: { name: `${tenant.canary} organization ${roll.below(100)}` } };
			return ownStep("organization.update", person, member(session, "POST", "/organization/update", { body }, roll));
		}
		default:
			return ownStep("organization.list", person, member(session, "GET", "/organization/list", {}, roll), {
				mayChange: [],
				check: succeedsWith(
					"their own",
					(json) =>
						Array.isArray(json) && person.organizations.every((id) => json.some((one) => textAt(one, "id") === id)),
				),
			});
	}
};

export const acceptInvitation: Plan = (model, roll) => {
	const invitation = model.ring.usable("invitation", roll);
	const person = invitation?.tenant.people.get(invitation.slot);
	const session = person && roll.pick(person.sessions);
	if (!invitation || !person || !session || person.userId !== invitation.userId) return null;
	const body = { invitationId: invitation.value };
	// a user who changed their address since is not the invited one
	const certain = person.email === invitation.to;
	return ownStep(
		"organization.accept",
		person,
		member(session, "POST", "/organization/accept-invitation", { body }, roll),
		{
			check: certain ? (answer) => (answer.status >= 500 ? `answered ${answer.status}` : null) : refuses,
			settle: () => {
				invitation.usable = !certain;
			},
		},
	);
};
