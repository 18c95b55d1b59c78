import { type FormEvent, useState } from "react";
import { type Branding, type BrandingField, saveBranding } from "../../api/branding.ts";
import { Problem } from "../../api/problem.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { say } from "../../ui/toasts.tsx";
import { canChangeTenant } from "../authority.ts";
import { useReload } from "../use-tenant.ts";
import { ColorField } from "./color-field.tsx";
import { Preview } from "./preview.tsx";
import { LOCALE_NAMES } from "./preview-texts.ts";

const FIELD = /^metadata\.branding\.(\w+) (.+)$/;

/** Which field the service refuses, and why. Null if it names none. */
const fieldOf = (problem: unknown): { field: string; message: string } | null => {
	const [, field, message] = (problem instanceof Problem && FIELD.exec(problem.message)) || [];
	return field && message ? { field, message: `This ${message}${/\w$/.test(message) ? "." : ""}` } : null;
};

/** Leaves out empty fields: they are not set. */
const filled = (branding: Branding): Branding =>
	Object.fromEntries(Object.entries(branding).filter(([, value]) => value.trim() !== ""));

type BrandingFormProps = { stored: Branding; tenantId: string; tenantName: string };

export const BrandingForm = ({ stored, tenantId, tenantName }: BrandingFormProps) => {
	const canChange = canChangeTenant(useViewer());
	const [draft, setDraft] = useState<Branding>(stored);
	const [isBusy, setBusy] = useState(false);
	const [problem, setProblem] = useState<unknown>(null);
	const reload = useReload();
	const refused = fieldOf(problem);
	const isChanged = JSON.stringify(filled(draft)) !== JSON.stringify(stored);
	const save = async (event: FormEvent): Promise<void> => {
		event.preventDefault();
		if (isBusy) return;
		setBusy(true);
		setProblem(null);
		try {
			const branding = filled(draft);
			await saveBranding(tenantId, Object.keys(branding).length > 0 ? branding : null);
			say("The branding is saved");
			await reload();
		} catch (error) {
			setProblem(error);
		}
		setBusy(false);
	};
	return (
		<div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
			<form onSubmit={save} className="grid gap-6" noValidate>
				{!canChange && <Notice>Only owners can change the branding. Ask an owner of the tenant.</Notice>}
				<fieldset disabled={!canChange} className="grid gap-6">
					<BrandingFields
						draft={draft}
						refused={refused}
						tenantName={tenantName}
						onChange={(field, value) => setDraft((now) => ({ ...now, [field]: value }))}
					/>
				</fieldset>
				{problem !== null && refused === null && <ErrorNotice error={problem} />}
				{canChange && (
					<div className="flex flex-wrap gap-2">
						<Button type="submit" kind="primary" isBusy={isBusy} disabled={!isChanged}>
							Save branding
						</Button>
						<Button disabled={!isChanged} onClick={() => setDraft(stored)}>
							Discard
						</Button>
					</div>
				)}
			</form>
			<aside aria-label="Preview" className="grid gap-5 lg:sticky lg:top-6">
				<Preview scheme="light" tenantName={tenantName} branding={filled(draft)} />
				<Preview scheme="dark" tenantName={tenantName} branding={filled(draft)} />
			</aside>
		</div>
	);
};

type BrandingFieldsProps = {
	draft: Branding;
	refused: ReturnType<typeof fieldOf>;
	tenantName: string;
	onChange: (field: BrandingField, value: string) => void;
};

const BrandingFields = ({ draft, refused, tenantName, onChange }: BrandingFieldsProps) => {
	/** What every text field shares. */
	const text = (field: BrandingField) => ({
		value: draft[field] ?? "",
		onChange: (event: { target: { value: string } }) => onChange(field, event.target.value),
		error: refused?.field === field ? refused.message : null,
		autoComplete: "off",
	});
	const link = { type: "url", inputMode: "url", spellCheck: false, placeholder: "https://" } as const;
	return (
		<>
			<Card title="Name and logo">
				<div className="grid gap-4">
					<TextField
						label="Name"
						{...text("name")}
						maxLength={64}
						placeholder={tenantName}
						hint="Instead of the tenant's name."
					/>
					<TextField
						label="Logo"
						{...text("logo")}
						{...link}
						hint="An https URL, shown 40 pixels high. Its server sees the addresses of visitors. The preview does not load it."
					/>
				</div>
			</Card>
			<Card title="Colors">
				<div className="grid gap-4">
					<ColorField label="Buttons" {...text("primaryColor")} against="#ffffff" />
					<ColorField
						label="Background"
						{...text("backgroundColor")}
						placeholder="#f4f4f5"
						hint="Around the form, in light mode."
					/>
				</div>
			</Card>
			<Card title="Links and language">
				<div className="grid gap-4">
					<TextField label="Terms" {...text("terms")} {...link} />
					<TextField label="Privacy" {...text("privacy")} {...link} />
					<TextField label="Imprint" {...text("imprint")} {...link} />
					<LanguageField
						value={draft.locale}
						error={refused?.field === "locale" ? refused.message : null}
						onChange={onChange}
					/>
				</div>
			</Card>
		</>
	);
};

type LanguageFieldProps = { value: string | undefined; error: string | null } & Pick<BrandingFieldsProps, "onChange">;

const LanguageField = ({ value, error, onChange }: LanguageFieldProps) => (
	<SelectField
		label="Language"
		value={value ?? ""}
		onChange={(event) => onChange("locale", event.target.value)}
		error={error}
	>
		<option value="">Language of the visitor's browser</option>
		{Object.entries(LOCALE_NAMES).map(([locale, name]) => (
			<option key={locale} value={locale}>
				{name}
			</option>
		))}
	</SelectField>
);
