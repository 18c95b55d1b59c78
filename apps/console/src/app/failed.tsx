import { useRouter } from "@tanstack/react-router";
import { ErrorNotice } from "../ui/notice.tsx";

/** A page that could not be loaded. */
export const Failed = ({ error }: { error: unknown }) => {
	const router = useRouter();
	return (
		<div className="mx-auto w-full max-w-2xl p-6 in-[main]:mx-0 in-[main]:p-0">
			<h1 className="pb-4 text-2xl">This page could not be loaded</h1>
			<ErrorNotice error={error} retry={() => void router.invalidate()} />
		</div>
	);
};
