import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { slugQuery } from "../../api/tenants.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { say } from "../../ui/toasts.tsx";
import { useDebounced } from "../../ui/use-debounced.ts";
import { slugOf, slugProblem } from "./slug.ts";

/** Creates a tenant, and opens it. */
export const CreateTenantDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
	const queries = useQueryClient();
	const navigate = useNavigate();
	const create = async (form: FormData): Promise<void> => {
		const [name, slug] = ["name", "slug"].map((field) => String(form.get(field)).trim());
		const tenant = await unwrap(authClient.tenant.create({ name: name ?? "", slug: slug ?? "" }));
		await Promise.all([
			queries.invalidateQueries({ queryKey: ["tenants"] }),
			queries.invalidateQueries({ queryKey: ["platform"] }),
		]);
		say(`${tenant.name} is created`);
		await navigate({ to: "/tenant/$tenantId", params: { tenantId: tenant.id } });
	};
	return (
		<FormDialog
			title="Create a tenant"
			intro="Users can sign in at once. Invite the first owner next."
			action="Create tenant"
			isOpen={isOpen}
			onClose={onClose}
			onSubmit={create}
		>
			<Fields />
		</FormDialog>
	);
};

const Fields = () => {
	const [name, setName] = useState("");
	const [own, setOwn] = useState<string | null>(null);
	const slug = own ?? slugOf(name);
	const problem = slug === "" ? null : slugProblem(slug);
	const settled = useDebounced(slug);
	const isChecked = settled === slug && slug !== "" && problem === null;
	const { data: isFree } = useQuery({ ...slugQuery(settled), enabled: isChecked });
	const isTaken = isChecked && isFree === false;
	return (
		<>
			<TextField
				label="Name"
				name="name"
				value={name}
				onChange={(event) => setName(event.target.value)}
				autoComplete="off"
				maxLength={200}
				required
				autoFocus
			/>
			<TextField
				label="Slug"
				name="slug"
				value={slug}
				onChange={(event) => setOwn(event.target.value.toLowerCase())}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				maxLength={63}
				required
				className="font-mono"
				error={problem ?? (isTaken ? "Another tenant has this slug." : null)}
				hint={
					<span aria-live="polite">
						{isChecked && isFree ? "This slug is free." : "Part of the URLs of the tenant. You can change it later."}
					</span>
				}
			/>
		</>
	);
};
