import { use, useId } from "react";
import { useScope } from "../scope.ts";
import { ErrorText } from "./error-text.tsx";
import { FailureContext } from "./form.tsx";

type FieldProps = {
	name: string;
	label: string;
	type?: "text" | "email" | "password";
	autoComplete: string;
	defaultValue?: string;
	inputMode?: "numeric";
	onInput?: (value: string) => void;
};

/** A required field with its label and its error. */
export const Field = ({ name, label, type = "text", autoComplete, defaultValue, inputMode, onInput }: FieldProps) => {
	const { texts } = useScope();
	const failure = use(FailureContext);
	const id = useId();
	const isInvalid = failure?.field === name;
	return (
		<div data-part="field" data-field={name} data-invalid={isInvalid || undefined}>
			<label htmlFor={id} data-part="label">
				{label}
			</label>
			<input
				id={id}
				name={name}
				type={type}
				autoComplete={autoComplete}
				autoCapitalize="none"
				spellCheck={false}
				inputMode={inputMode}
				defaultValue={defaultValue}
				onInput={onInput && ((event) => onInput(event.currentTarget.value))}
				required
				aria-invalid={isInvalid}
				aria-describedby={`${id}-error`}
				data-part="input"
			/>
			<ErrorText id={`${id}-error`} part="field-error" text={isInvalid ? texts.errors[failure.text] : ""} />
		</div>
	);
};
