import { Credentials } from "../../../../components/credentials.tsx";
import { tenantOfPage } from "../../../../tenant.ts";

export default async function SignIn() {
	return <Credentials action="Sign in" tenant={(await tenantOfPage()).name} />;
}
