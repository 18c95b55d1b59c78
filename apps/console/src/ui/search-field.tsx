import { Search } from "lucide-react";
import { TextField } from "./field.tsx";

type SearchFieldProps = {
	label: string;
	placeholder: string;
	value: string;
	onSearch: (text: string) => void;
	maxLength?: number;
};

/** A field to search a list. Its label is for screen readers: the magnifier says it to others. */
export const SearchField = ({ label, placeholder, value, onSearch, maxLength = 255 }: SearchFieldProps) => (
	<div className="relative min-w-0">
		<Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-soft" aria-hidden />
		<TextField
			label={label}
			isLabelHidden
			type="search"
			placeholder={placeholder}
			value={value}
			onChange={(event) => onSearch(event.target.value)}
			maxLength={maxLength}
			className="pl-9"
		/>
	</div>
);
