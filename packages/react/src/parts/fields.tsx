import { useScope } from "../scope.ts";
import { Field } from "./field.tsx";

type EmailProps = { defaultValue?: string; onInput?: (value: string) => void };

export const EmailField = (props: EmailProps) => (
	<Field name="email" type="email" label={useScope().texts.email} autoComplete="username" {...props} />
);

export const NewPasswordField = ({ label }: { label: string }) => (
	<Field name="password" type="password" label={label} autoComplete="new-password" />
);

export const CurrentPasswordField = () => (
	<Field name="password" type="password" label={useScope().texts.password} autoComplete="current-password" />
);

export const NameField = () => <Field name="name" label={useScope().texts.name} autoComplete="name" />;

export const CodeField = () => (
	<Field name="code" label={useScope().texts.code} autoComplete="one-time-code" inputMode="numeric" />
);
