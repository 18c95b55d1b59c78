import { ChevronDown } from "lucide-react";
import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from "react";

type Around = { label: ReactNode; hint?: ReactNode; error?: string | null | undefined; isLabelHidden?: boolean };
type Ids = { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined };

const control =
	"w-full min-h-9 rounded-md border border-edge bg-surface px-3 py-1.5 text-base text-ink placeholder:text-soft aria-invalid:border-danger disabled:bg-sunken disabled:text-soft";

/** A label, its control, a hint and an error, tied together for screen readers. */
export const Field = ({
	label,
	hint,
	error,
	isLabelHidden = false,
	children,
}: Around & { children: (ids: Ids) => ReactNode }) => {
	const id = useId();
	// an error says what to do instead
	const shownHint = error ? null : hint;
	const described = error ? `${id}-error` : shownHint ? `${id}-hint` : undefined;
	return (
		<div className="grid gap-1.5">
			<label htmlFor={id} className={isLabelHidden ? "sr-only" : "text-sm font-medium"}>
				{label}
			</label>
			{children({ id, "aria-describedby": described, "aria-invalid": error ? true : undefined })}
			{shownHint && (
				<p id={`${id}-hint`} className="text-sm text-pretty text-soft">
					{shownHint}
				</p>
			)}
			{error && (
				<p id={`${id}-error`} role="alert" className="text-sm text-danger-ink">
					{error}
				</p>
			)}
		</div>
	);
};

type TextFieldProps = Around & Omit<InputHTMLAttributes<HTMLInputElement>, "id">;

export const TextField = ({ label, hint, error, isLabelHidden, className = "", ...input }: TextFieldProps) => (
	<Field label={label} hint={hint} error={error} isLabelHidden={isLabelHidden ?? false}>
		{(ids) => <input type="text" {...input} {...ids} className={`${control} ${className}`} />}
	</Field>
);

type SelectFieldProps = Around & Omit<SelectHTMLAttributes<HTMLSelectElement>, "id">;

export const SelectField = ({ label, hint, error, isLabelHidden, className = "", ...select }: SelectFieldProps) => (
	<Field label={label} hint={hint} error={error} isLabelHidden={isLabelHidden ?? false}>
		{(ids) => (
			<div className="relative">
				<select {...select} {...ids} className={`${control} appearance-none pr-9 ${className}`} />
				<ChevronDown
					className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-soft"
					aria-hidden
				/>
			</div>
		)}
	</Field>
);

type CheckFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "type"> & {
	label: ReactNode;
	hint?: ReactNode;
};

/** A checkbox with its hint. */
export const CheckField = ({ label, hint, ...input }: CheckFieldProps) => {
	const id = useId();
	return (
		<div className="flex items-start gap-3">
			<input
				{...input}
				type="checkbox"
				id={id}
				aria-describedby={hint ? `${id}-hint` : undefined}
				className="mt-0.5 size-5 shrink-0 accent-accent"
			/>
			<div className="grid gap-0.5">
				<label htmlFor={id} className="text-base font-medium">
					{label}
				</label>
				{hint && (
					<p id={`${id}-hint`} className="text-sm text-soft">
						{hint}
					</p>
				)}
			</div>
		</div>
	);
};
