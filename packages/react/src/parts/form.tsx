import { createContext, type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { Failure } from "../failures.ts";
import { useScope } from "../scope.ts";
import { ErrorText } from "./error-text.tsx";
import { firstInvalid } from "./first-invalid.ts";

/** Returns the text of a field, by its name. */
export type ReadField = (name: string) => string;

type FormProps = {
	/** the sign-in method or task, for `data-form` */
	name: string;
	submit: string;
	/** resolves to what went wrong, or to null */
	onSubmit: (read: ReadField) => Promise<Failure | null>;
	/** what is wrong before anything was sent */
	failure?: Failure | null;
	/** moves the focus to the first field, because the form replaced another one */
	focuses?: boolean;
	children: ReactNode;
};

/** The failure of the form around a field. */
export const FailureContext = createContext<Failure | null>(null);

/** A form whose errors are at their fields, or above the button if they belong to none. */
export const Form = ({ name, submit, onSubmit, failure: given = null, focuses = false, children }: FormProps) => {
	const { texts } = useScope();
	const form = useRef<HTMLFormElement>(null);
	const [failure, setFailure] = useState<Failure | null>(given);
	const [isSending, setSending] = useState(false);
	useEffect(() => {
		if (focuses) form.current?.querySelector("input")?.focus();
	}, [focuses]);
	const send = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
		event.preventDefault();
		const sent = event.currentTarget;
		if (isSending) return;
		const values = new FormData(sent);
		const invalid = firstInvalid(sent);
		setFailure(invalid);
		focusField(sent, invalid);
		if (invalid) return;
		setSending(true);
		const found = await onSubmit((field) => String(values.get(field) ?? ""));
		setSending(false);
		setFailure(found && placed(sent, found));
		focusField(sent, found);
	};
	return (
		<FailureContext value={failure}>
			{/* POST: if it is sent before React is ready, the password does not end up in the address */}
			<form ref={form} method="post" noValidate onSubmit={send} data-part="form" data-form={name} aria-busy={isSending}>
				{children}
				<ErrorText text={failure && !failure.field ? texts.errors[failure.text] : ""} />
				{/* not disabled, because the focus would be lost */}
				<button type="submit" data-part="submit" aria-disabled={isSending}>
					{submit}
				</button>
			</form>
		</FailureContext>
	);
};

/** A failure of a field that the form does not have belongs to the whole form. */
const placed = (form: HTMLFormElement, { text, field }: Failure): Failure =>
	field && form.elements.namedItem(field) ? { text, field } : { text };

const focusField = (form: HTMLFormElement, failure: Failure | null): void => {
	const element = failure?.field && form.elements.namedItem(failure.field);
	if (element instanceof HTMLInputElement) element.focus();
};
