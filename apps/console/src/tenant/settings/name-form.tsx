import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { TextField } from "../../ui/field.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { say } from "../../ui/toasts.tsx";
import { useReload } from "../use-tenant.ts";

type NameFormProps = { tenant: { id: string; name: string; slug: string; createdAt: Date }; canChange: boolean };

/** Name and slug. Operators change them; others see them. */
export const NameForm = ({ tenant, canChange }: NameFormProps) => {
	const [isBusy, setBusy] = useState(false);
	const [problem, setProblem] = useState<unknown>(null);
	const reload = useReload();
	const queries = useQueryClient();
	if (!canChange)
		return (
			<Card title="Tenant" intro="An operator of the service can change the name.">
				<Facts>
					<Fact name="Name">{tenant.name}</Fact>
					<Fact name="Slug">
						<span className="font-mono text-sm">{tenant.slug}</span>
					</Fact>
					<Fact name="Created">
						<Time at={tenant.createdAt} />
					</Fact>
				</Facts>
			</Card>
		);
	const save = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
		event.preventDefault();
		if (isBusy) return;
		const form = new FormData(event.currentTarget);
		setBusy(true);
		setProblem(null);
		try {
			const [name, slug] = [String(form.get("name")).trim(), String(form.get("slug")).trim()];
			await unwrap(authClient.tenant.update({ tenantId: tenant.id, name, slug }));
			say("The tenant is changed");
			await Promise.all([reload(), queries.invalidateQueries({ queryKey: ["tenants"] })]);
		} catch (error) {
			setProblem(error);
		}
		setBusy(false);
	};
	return (
		<Card title="Tenant">
			<form onSubmit={save} className="grid gap-4">
				<TextField label="Name" name="name" defaultValue={tenant.name} required autoComplete="off" />
				<TextField
					label="Slug"
					name="slug"
					defaultValue={tenant.slug}
					required
					autoComplete="off"
					spellCheck={false}
					hint="Part of the tenant's URLs. Links with the old slug stop working."
				/>
				{problem !== null && <ErrorNotice error={problem} />}
				<div>
					<Button type="submit" kind="primary" isBusy={isBusy}>
						Save changes
					</Button>
				</div>
			</form>
		</Card>
	);
};
