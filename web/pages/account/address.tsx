/** The account's e-mail address: mailed links, the replacement of a lost key, the export and the deletion. */
import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { removeKey, storeKey } from "../../lib/api/key.ts";
import { callAs, fetchAs } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { TextField } from "../../lib/elements/fields.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { saveFile } from "../../lib/text/csv.ts";
import { Confirmed, NewSecret } from "./account-item.tsx";

const [, purpose, token = ""] = /^#(verify|recover|alerts|stop)=(ml_\w+)$/.exec(location.hash) ?? [];

/** Redeems a link from an e-mail. The visitor must click a button, because mail scanners open links. */
export function MailedLink() {
	const [email, setEmail] = useState<string>();
	const [key, setKey] = useState<string>();
	const [note, setNote] = useState<string>();
	const action = useAction();
	if (purpose === undefined) return null;
	// The link works only once, so a reload of the page must not offer it again.
	const hideLink = () => history.replaceState(null, "", location.pathname);
	const call = { method: "POST", body: { token } };
	const verify = async () => {
		const confirmed = await action.run(() => callAs("confirmEmail", "/account/email/confirm", call));
		if (confirmed === undefined) return;
		setEmail(confirmed.email);
		hideLink();
	};
	const recover = async () => {
		const issued = await action.run(() => callAs("recoverKey", "/keys/recover/confirm", call));
		if (issued === undefined) return;
		setKey(issued.key);
		hideLink();
	};
	const confirmOrStopAlerts = async () => {
		const opened = await action.run(() =>
			purpose === "stop"
				? callAs("stopAlerts", `/unsubscribe/${token}`, { method: "POST" })
				: callAs("confirmAlerts", "/alerts/confirm", call),
		);
		setNote(opened?.note);
	};
	if (purpose === "alerts" || purpose === "stop")
		return (
			<Section id="link" title={purpose === "stop" ? "End alerts by e-mail" : "Confirm alerts by e-mail"}>
				{note === undefined ? (
					<button type="button" disabled={action.isBusy} onClick={confirmOrStopAlerts}>
						{purpose === "stop" ? "End these mails" : "Confirm the address"}
					</button>
				) : (
					<p role="status">{note}</p>
				)}
				<Problem action={action} />
			</Section>
		);
	if (key !== undefined)
		return (
			<Section id="link" title="Your new key">
				<NewSecret name="Your new key" secret={key}>
					<button type="button" class="plain" onClick={() => storeKey({ key, isPersistent: false })}>
						Use it in this tab
					</button>
				</NewSecret>
			</Section>
		);
	if (email !== undefined)
		return (
			<Section id="link" title="Your e-mail address">
				<p role="status">{email} is confirmed. A lost key can be replaced by a mail to it.</p>
			</Section>
		);
	const isRecovery = purpose === "recover";
	return (
		<Section id="link" title={isRecovery ? "Replace your key" : "Confirm your e-mail address"}>
			{isRecovery && <p>You get a new key, and all other keys of the account stop working.</p>}
			<p>
				<button type="button" disabled={action.isBusy} onClick={isRecovery ? recover : verify}>
					{isRecovery ? "Get a new key" : "Confirm the address"}
				</button>
			</p>
			<Problem action={action} />
		</Section>
	);
}

export function LostKey() {
	const [email, setEmail] = useState("");
	const [note, setNote] = useState<string>();
	const action = useAction();
	const send = async (event: Event) => {
		event.preventDefault();
		const sent = await action.run(() => callAs("requestKey", "/keys/recover", { method: "POST", body: { email } }));
		setNote(sent?.note);
	};
	return (
		<details>
			<summary>Lost your key?</summary>
			<form onSubmit={send} noValidate>
				<TextField
					{...{ label: "Confirmed address", value: email, set: setEmail }}
					{...{ type: "email", autocomplete: "email", maxLength: 254 }}
				/>
				<p>
					<button type="submit" class="plain" disabled={action.isBusy || email === ""}>
						Mail a link
					</button>
				</p>
			</form>
			<Problem action={action} />
			{note !== undefined && <p role="status">{note}</p>}
		</details>
	);
}

interface AddressProps {
	apiKey: string;
	usage: Reply<"getUsage">;
}

export function Address({ apiKey, usage: { email, email_verified } }: AddressProps) {
	const [note, setNote] = useState<string>();
	const [confirm, setConfirm] = useState("");
	const action = useAction();
	const mail = async () => {
		const call = { method: "POST", key: apiKey, body: { email } };
		setNote((await action.run(() => callAs("verifyEmail", "/account/email", call)))?.note);
	};
	const save = () =>
		action.run(async () => {
			saveFile("account.json", await (await fetchAs("/account/export", { key: apiKey })).blob());
		});
	const remove = async () => {
		const path = `/account?${new URLSearchParams({ confirm })}`;
		const call = { method: "DELETE", key: apiKey };
		if ((await action.run(() => callAs("deleteAccount", path, call))) !== undefined) removeKey();
	};
	return (
		<Section id="address" title="Your address and your data">
			<p>
				{email}:{" "}
				{email_verified ? "confirmed. A lost key can be replaced." : "not confirmed. A lost key cannot be replaced."}
			</p>
			<div class="toolbar">
				{!email_verified && (
					<button type="button" class="plain" disabled={action.isBusy} onClick={mail}>
						Mail a link to confirm it
					</button>
				)}
				<button type="button" class="plain" disabled={action.isBusy} onClick={save}>
					Export my data (JSON)
				</button>
			</div>
			<details>
				<summary>Delete the account</summary>
				<TextField label="Its e-mail address" value={confirm} set={setConfirm} type="email" maxLength={254} />
				<div class="toolbar">
					<Confirmed
						label="Delete the account"
						question="Its keys, usage, webhooks, watchlists and saved queries are deleted."
						act={remove}
					/>
				</div>
			</details>
			<Problem action={action} />
			{note !== undefined && <p role="status">{note}</p>}
		</Section>
	);
}
