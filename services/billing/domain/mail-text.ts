/** The texts of mails. They contain nothing that the requester wrote, because the service must not send strangers' text. */

export interface Mail {
	purpose: "verify" | "recover";
	link: string;
	/** Beginning and end of the account's first key. */
	hint: string | null;
}

export function mailText({ purpose, link, hint }: Mail, publicUrl: string): { subject: string; text: string } {
	if (purpose === "recover")
		return {
			subject: "Replace your API key",
			text: `Someone, probably you, requested to replace the key of your account at ${publicUrl}.

Get a new key: ${link}

The link works once, for 24 hours. All other keys of the account then stop working.
If you did not request it, ignore this mail: your keys remain as they are.
`,
		};
	return {
		subject: "Confirm your e-mail address",
		text: `Someone, probably you, gave this address for an account at ${publicUrl}.

Confirm it: ${link}

The link works once, for 24 hours. A lost key can be replaced by a mail to a confirmed address.
The account's first key is ${hint}. If you do not know it, ignore this mail.
`,
	};
}
