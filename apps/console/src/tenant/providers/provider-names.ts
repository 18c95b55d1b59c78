/** Names of providers whose name is not their id with a capital letter. A page without the table of providers needs no more. */
const NAMES: Record<string, string> = {
	cognito: "Amazon Cognito",
	github: "GitHub",
	gitlab: "GitLab",
	huggingface: "Hugging Face",
	line: "LINE",
	linkedin: "LinkedIn",
	paypal: "PayPal",
	tiktok: "TikTok",
	twitter: "X",
	vk: "VK",
	wechat: "WeChat",
};

export const nameOf = (providerId: string): string =>
	(Object.hasOwn(NAMES, providerId) ? NAMES[providerId] : undefined) ??
	`${providerId.slice(0, 1).toUpperCase()}${providerId.slice(1)}`;
