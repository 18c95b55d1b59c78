import { useQuery } from "@tanstack/react-query";
import type { Console, Feature } from "../../api/console.ts";
import { methodsQuery, oauthConfigsQuery } from "../../api/oauth-configs.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { useTenantId } from "../use-tenant.ts";
import { nameMethod } from "./describe.ts";

/** Methods that need a plugin of the service. */
const BY_FEATURE: [Feature, string][] = [
	["username", "username"],
	["phoneNumber", "phoneNumber"],
	["magicLink", "magicLink"],
	["emailOtp", "emailOtp"],
	["passkey", "passkey"],
	["sso", "sso"],
	["device", "device"],
];

const offeredBy = ({ features }: Console): string[] => [
	"password",
	...BY_FEATURE.filter(([feature]) => features[feature]).map(([, method]) => method),
];

/** The methods that the service offers, and the providers of the tenant. */
export const MethodFields = ({ chosen }: { chosen: string[] }) => {
	const tenantId = useTenantId();
	const viewer = useViewer();
	const { data: configs = [] } = useQuery(oauthConfigsQuery(tenantId));
	const { data: methods } = useQuery(methodsQuery(tenantId));
	const social = [...configs.map(({ providerId }) => providerId), ...(methods?.providers ?? []).map(({ id }) => id)];
	const all = [...new Set([...offeredBy(viewer), ...social.map((id) => `social:${id}`), ...chosen])];
	return (
		<fieldset className="grid gap-1">
			<legend className="pb-1.5 text-sm font-medium">Methods</legend>
			{all.map((method) => (
				<label key={method} className="flex min-h-8 cursor-pointer items-center gap-3">
					<input
						type="checkbox"
						name="value"
						value={method}
						defaultChecked={chosen.includes(method)}
						className="size-4.5 accent-accent"
					/>
					{nameMethod(method)}
				</label>
			))}
		</fieldset>
	);
};
