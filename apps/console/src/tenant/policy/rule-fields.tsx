import { type ReactNode, useState } from "react";
import { Field, SelectField, TextField } from "../../ui/field.tsx";
import { describeValue, isRate, splitDuration } from "./describe.ts";
import { MethodFields } from "./method-fields.tsx";
import type { Rule } from "./rules.ts";

type With = { rule: Rule; value: unknown };

/** The fields of a rule, by its kind. */
export const RuleFields = ({ rule, value }: With) => {
	switch (rule.kind) {
		case "yes-no":
			return <Choices options={{ yes: rule.yes, no: rule.no }} chosen={value === true ? "yes" : "no"} />;
		case "choice":
			return <Choices options={rule.values} chosen={String(value)} />;
		case "number":
			return (
				<Limit isOff={value === false} off={rule.canBeOff ? "No limit" : null}>
					<TextField
						label={`Value (${rule.unit})`}
						name="value"
						type="number"
						min={rule.min}
						max={rule.max}
						defaultValue={typeof value === "number" ? value : ""}
						required
					/>
				</Limit>
			);
		case "duration":
			return (
				<Limit isOff={value === false} off={rule.off}>
					<Duration seconds={typeof value === "number" ? value : 3_600} />
				</Limit>
			);
		case "date":
			return (
				<Limit isOff={value === false} off={rule.off}>
					<TextField
						label="Day (UTC)"
						name="value"
						type="date"
						defaultValue={typeof value === "string" ? value.slice(0, 10) : ""}
						required
					/>
				</Limit>
			);
		case "rate":
			return (
				<Limit isOff={value === false} off={describeValue(rule, false)}>
					<TextField
						label="Requests"
						name="max"
						type="number"
						min={1}
						max={1_000_000}
						defaultValue={isRate(value) ? value.max : 1000}
						required
					/>
					<Duration seconds={isRate(value) ? value.window : 60} label="In" least={1} />
				</Limit>
			);
		case "list":
			return (
				<Limit isOff={value === "any"} off={rule.any || null}>
					<Lines rule={rule} lines={Array.isArray(value) ? value.map(String) : []} />
				</Limit>
			);
		case "methods":
			return (
				<Limit isOff={value === "any"} off="All that the service offers" on="Only these">
					<MethodFields chosen={Array.isArray(value) ? value.map(String) : []} />
				</Limit>
			);
	}
};

const radio =
	"flex min-h-10 cursor-pointer items-center gap-3 rounded-md border border-hair px-3 py-2 has-checked:border-accent has-checked:bg-accent-soft/50";

const Choices = ({ options, chosen }: { options: Record<string, string>; chosen: string }) => (
	<fieldset className="grid gap-2">
		<legend className="sr-only">Value</legend>
		{Object.entries(options).map(([value, title]) => (
			<label key={value} className={radio}>
				<input
					type="radio"
					name="value"
					value={value}
					defaultChecked={value === chosen}
					className="size-4 shrink-0 accent-accent"
				/>
				{title}
			</label>
		))}
	</fieldset>
);

type LimitProps = { isOff: boolean; off: string | null; on?: string; children: ReactNode };

/** No limit, or one. Without a word for "no limit" there is always one. */
const Limit = ({ isOff, off, on = "Limited", children }: LimitProps) => {
	const [isLimited, setLimited] = useState(off === null || !isOff);
	if (off === null) return <>{children}</>;
	return (
		<div className="grid gap-3">
			<fieldset className="grid gap-2">
				<legend className="sr-only">Limit</legend>
				<label className={radio}>
					<input
						type="radio"
						name="limit"
						value="off"
						checked={!isLimited}
						onChange={() => setLimited(false)}
						className="size-4 shrink-0 accent-accent"
					/>
					{off}
				</label>
				<label className={radio}>
					<input
						type="radio"
						name="limit"
						value="on"
						checked={isLimited}
						onChange={() => setLimited(true)}
						className="size-4 shrink-0 accent-accent"
					/>
					{on}
				</label>
			</fieldset>
			{isLimited && <div className="grid gap-3">{children}</div>}
		</div>
	);
};

const Duration = ({ seconds, label = "Time", least = 1 }: { seconds: number; label?: string; least?: number }) => {
	const { amount, unit } = splitDuration(seconds);
	return (
		<div className="grid grid-cols-2 gap-3">
			<TextField label={label} name="value" type="number" min={least} defaultValue={amount} required />
			<SelectField label="Unit" name="unit" defaultValue={String(unit)}>
				<option value="1">Seconds</option>
				<option value="60">Minutes</option>
				<option value="3600">Hours</option>
				<option value="86400">Days</option>
			</SelectField>
		</div>
	);
};

const Lines = ({ rule, lines }: { rule: Extract<Rule, { kind: "list" }>; lines: string[] }) => (
	<Field label={rule.title} hint={rule.each}>
		{(ids) => (
			<textarea
				{...ids}
				name="value"
				rows={4}
				defaultValue={lines.join("\n")}
				placeholder={rule.placeholder}
				required={!rule.isUserIds}
				spellCheck={false}
				className="w-full rounded-md border border-edge bg-surface px-3 py-1.5 font-mono text-sm text-ink placeholder:text-soft"
			/>
		)}
	</Field>
);
