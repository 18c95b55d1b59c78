import type { Catalog } from "./en.ts";

/** Japanese, in polite form. */
export const ja: Catalog = {
	orOpen: "または、次のアドレスを開いてください。",
	verification: {
		subject: ({ tenant }) => `${tenant} のメールアドレスの確認`,
		opening: ({ tenant }) =>
			`${tenant} のアカウントに登録されたこのメールアドレスが、ご本人のものであることをご確認ください。`,
		action: "メールアドレスを確認する",
		closing: (duration) =>
			`このリンクの有効期間は${duration}です。お心当たりがない場合は、このメールを無視してください。`,
	},
	passwordReset: {
		subject: ({ tenant }) => `${tenant} のパスワードの再設定`,
		opening: ({ tenant }) => `${tenant} のアカウントについて、パスワードの再設定が申し込まれました。`,
		action: "新しいパスワードを設定する",
		closing: (duration) =>
			`このリンクの有効期間は${duration}です。お心当たりがない場合は、このメールを無視してください。パスワードは変更されません。`,
	},
	emailChange: {
		subject: ({ tenant }) => `${tenant} のメールアドレス変更の確認`,
		opening: ({ tenant, newAddress }) =>
			`${tenant} のアカウントについて、メールアドレスを ${newAddress} に変更する申し込みがありました。`,
		action: "変更を確認する",
		closing: (duration) =>
			`このリンクの有効期間は${duration}です。お心当たりがない場合は、リンクを使用せず、パスワードを変更してください。第三者がお客様のアカウントにログインしている可能性があります。`,
	},
	accountDeletion: {
		subject: ({ tenant }) => `${tenant} のアカウント削除の確認`,
		opening: ({ tenant }) =>
			`${tenant} のアカウントを削除する申し込みがありました。削除すると元に戻すことはできません。`,
		action: "アカウントを削除する",
		closing: (duration) =>
			`このリンクの有効期間は${duration}です。お心当たりがない場合は、リンクを使用せず、パスワードを変更してください。第三者がお客様のアカウントにログインしている可能性があります。`,
	},
	magicLink: {
		subject: ({ tenant }) => `${tenant} のログイン用リンク`,
		opening: ({ tenant }) => `${tenant} にログインするためのリンクをお送りします。`,
		action: "ログインする",
		closing: (duration) =>
			`このリンクの有効期間は${duration}で、一度だけ使用できます。お心当たりがない場合は、このメールを無視してください。`,
	},
	oneTimeCode: {
		subject: ({ tenant }) => `${tenant} の確認コード`,
		openings: {
			"sign-in": ({ tenant }) => `${tenant} にログインするための確認コードをお送りします。`,
			"email-verification": ({ tenant }) => `${tenant} のメールアドレスを確認するためのコードをお送りします。`,
			"forget-password": ({ tenant }) => `${tenant} のパスワードを再設定するための確認コードをお送りします。`,
			"change-email": ({ tenant }) => `${tenant} のメールアドレスを変更するための確認コードをお送りします。`,
			other: ({ tenant }) => `${tenant} の確認コードをお送りします。`,
		},
		closing: (duration) =>
			`このコードの有効期間は${duration}です。現在ご覧のページ以外には入力しないでください。お心当たりがない場合は、このメールを無視してください。`,
	},
	twoFactorCode: {
		subject: ({ tenant }) => `${tenant} の二段階認証コード`,
		opening: ({ tenant }) => `${tenant} へのログインを完了するためのコードをお送りします。`,
		closing: (duration) =>
			`このコードの有効期間は${duration}です。お心当たりがない場合は、第三者にパスワードを知られています。パスワードを変更してください。`,
	},
	accountExists: {
		subject: ({ tenant }) => `${tenant} のアカウントはすでに登録されています`,
		opening: ({ tenant }) =>
			`このメールアドレスで ${tenant} への新規登録が試みられましたが、すでにアカウントが登録されています。新規登録ではなく、ログインしてください。パスワードをお忘れの場合は、ログインページで再設定してください。`,
		closing: () => "お心当たりがない場合は、このメールを無視してください。何も変更されていません。",
	},
	invitation: {
		subject: ({ tenant, organization }) => `${tenant} の ${organization} への招待`,
		opening: ({ tenant, organization, inviter }) =>
			`${inviter} さんから、${tenant} の ${organization} への招待が届いています。`,
		action: "招待を確認する",
		closing: (duration) =>
			`この招待の有効期間は${duration}です。お心当たりがない場合は、このメールを無視してください。`,
	},
	tenantInvitation: {
		subject: ({ tenant }) => `${tenant} への招待`,
		openings: {
			byUser: ({ tenant, inviter }) => `${inviter} さんから、${tenant} への招待が届いています。`,
			byOperator: ({ tenant }) => `${tenant} への招待が届いています。`,
		},
		action: "招待を確認する",
		closing: (duration) =>
			`この招待の有効期間は${duration}で、1 回だけ使用できます。お心当たりがない場合は、このメールを無視してください。`,
	},
};
