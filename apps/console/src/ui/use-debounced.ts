import { useEffect, useState } from "react";

/** The value once it has not changed for a moment, so that typing asks the service once. */
export const useDebounced = <T>(value: T, wait = 250): T => {
	const [settled, setSettled] = useState(value);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(value), wait);
		return () => clearTimeout(timer);
	}, [value, wait]);
	return settled;
};
