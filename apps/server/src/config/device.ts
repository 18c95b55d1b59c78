import { pluginsSection } from "./plugins.ts";
import { defineSection } from "./section.ts";
import { list, page } from "./variables.ts";

export const deviceSection = defineSection(
	{
		DEVICE_VERIFICATION_URL: page().optional().meta({
			description:
				"For the device-authorization plugin: your page on which users enter the code of a device. A path such as /device is on the host of the request",
		}),
		DEVICE_CLIENT_IDS: list().meta({
			description: "For the device-authorization plugin: the client ids of your devices, separated by commas",
		}),
	},
	({ PLUGINS, DEVICE_VERIFICATION_URL, DEVICE_CLIENT_IDS }, mistakes) => {
		if (!PLUGINS.includes("device-authorization")) return null;
		if (!DEVICE_VERIFICATION_URL)
			mistakes.push(
				"DEVICE_VERIFICATION_URL is not set, but PLUGINS contains device-authorization. Set the page on which users enter the code, such as /device",
			);
		if (DEVICE_CLIENT_IDS.length === 0)
			mistakes.push(
				"DEVICE_CLIENT_IDS is not set, but PLUGINS contains device-authorization. Set the client ids that your devices send",
			);
		return { verificationURL: DEVICE_VERIFICATION_URL ?? "", clientIds: DEVICE_CLIENT_IDS };
	},
	{ needed: pluginsSection.variables },
);
