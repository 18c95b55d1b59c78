import { SelectField, TextField } from "../../ui/field.tsx";
import type { OauthProviderOption } from "./known-providers.ts";

type OptionFieldProps = {
	option: OauthProviderOption;
	/** whether a config exists, whose settings stay if nothing is entered */
	isStored: boolean;
	value: string | undefined;
	onChange: (value: string) => void;
};

/** One setting of a provider besides client id and secret. The service stores them encrypted and does not return them. */
export const OptionField = ({ option, isStored, value = "", onChange }: OptionFieldProps) => {
	const { name, kind, required } = option;
	const says = option.description.replaceAll("`", "");
	const hint = `${says.slice(0, 1).toUpperCase()}${says.slice(1)}.${isStored ? " Leave it empty to keep what is stored." : ""}`;
	const label = (
		<>
			<span className="font-mono">{name}</span>
			{!required && " (optional)"}
		</>
	);
	if (kind === "flag" || kind === "one-of") {
		const values = kind === "flag" ? ["true", "false"] : (option.values ?? []);
		return (
			<SelectField label={label} hint={hint} value={value} onChange={(event) => onChange(event.target.value)}>
				<option value="">{isStored ? "As stored" : "Usual"}</option>
				{values.map((one) => (
					<option key={one} value={one}>
						{kind === "flag" ? (one === "true" ? "Yes" : "No") : one}
					</option>
				))}
			</SelectField>
		);
	}
	return (
		<TextField
			label={label}
			hint={hint}
			value={value}
			onChange={(event) => onChange(event.target.value)}
			required={required && !isStored}
			autoComplete="off"
			spellCheck={false}
		/>
	);
};
