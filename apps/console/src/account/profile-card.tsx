import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { authClient } from "../api/client.ts";
import { consoleQuery } from "../api/console.ts";
import { unwrap } from "../api/problem.ts";
import { Badge } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
import { TextField } from "../ui/field.tsx";
import { say } from "../ui/toasts.tsx";
import { CardForm } from "./card-form.tsx";
import { useReloadAccount } from "./use-reload-account.ts";

/** The name. The email is how the tenant knows the user, and is shown only. */
export const ProfileCard = ({ user }: { user: { name: string; email: string; emailVerified: boolean } }) => {
	const reload = useReloadAccount();
	const queries = useQueryClient();
	const router = useRouter();
	const save = async (form: FormData): Promise<void> => {
		await unwrap(authClient.updateUser({ name: String(form.get("name")).trim() }));
		await queries.fetchQuery({ ...consoleQuery, staleTime: 0 });
		await Promise.all([reload(), router.invalidate()]);
		say("Your name is saved");
	};
	return (
		<Card title="Profile">
			<CardForm action="Save name" onSubmit={save} key={user.name}>
				<TextField
					label="Name"
					name="name"
					defaultValue={user.name}
					autoComplete="name"
					maxLength={255}
					pattern=".*\S.*"
					required
				/>
				<div className="grid gap-0.5">
					<span className="text-sm font-medium">Email</span>
					<span className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
						{user.email} {!user.emailVerified && <Badge tone="warn">Not verified</Badge>}
					</span>
				</div>
			</CardForm>
		</Card>
	);
};
