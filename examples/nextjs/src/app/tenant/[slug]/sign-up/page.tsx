import { Credentials } from "../../../../components/credentials.tsx";
import { tenantOfPage } from "../../../../tenant.ts";

export default async function SignUp() {
	return <Credentials action="Sign up" tenant={(await tenantOfPage()).name} />;
}
