import { useState } from "preact/hooks";
import { hintOf, isKey, removeKey, type StoredKey, storeKey } from "../../lib/api/key.ts";
import { callAs } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { CheckBox, Choice, TextField } from "../../lib/elements/fields.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { Noted } from "../../lib/elements/table.tsx";
import { Confirmed, NewSecret } from "./account-item.tsx";
import { LostKey } from "./address.tsx";

/** Issues a free key for an e-mail address. */
export function Register() {
	const [email, setEmail] = useState("");
	const [name, setName] = useState("");
	const [key, setKey] = useState<string>();
	const action = useAction();
	const send = async (event: Event) => {
		event.preventDefault();
		const body = { email, ...(name.trim() !== "" && { name }) };
		const issued = await action.run(() => callAs("register", "/register", { method: "POST", body }));
		setKey(issued?.key);
	};
	return (
		<Section id="register" title="Get a free key">
			{key === undefined ? (
				<form onSubmit={send} noValidate>
					<TextField
						{...{ label: "E-mail address", value: email, set: setEmail }}
						{...{ type: "email", autocomplete: "email", maxLength: 254, required: true }}
					/>
					<TextField
						label={<Noted text="Name" note="(optional)" />}
						{...{ value: name, set: setName, autocomplete: "name", maxLength: 100 }}
					/>
					<Problem action={action} />
					<p>
						<button type="submit" disabled={action.isBusy}>
							Get the key
						</button>
					</p>
					<p class="soft">
						A link is mailed to the address: once you have confirmed it, a lost key can be replaced. Each key from this
						form belongs to a new account.
					</p>
				</form>
			) : (
				<NewSecret name="Your key" secret={key}>
					<button type="button" class="plain" onClick={() => storeKey({ key, isPersistent: false })}>
						Use it in this tab
					</button>
					<button type="button" class="plain" onClick={() => storeKey({ key, isPersistent: true })}>
						Keep it in this browser
					</button>
				</NewSecret>
			)}
		</Section>
	);
}

export function EnterKey() {
	const [key, setKey] = useState("");
	const [isPersistent, setPersistent] = useState(false);
	const [isWrong, setWrong] = useState(false);
	const use = (event: Event) => {
		event.preventDefault();
		if (isKey(key.trim())) storeKey({ key: key.trim(), isPersistent });
		else setWrong(true);
	};
	return (
		<Section id="enter" title="Use a key you have">
			<form onSubmit={use} noValidate>
				<TextField
					label="Key"
					value={key}
					set={(typed) => {
						setKey(typed);
						setWrong(false);
					}}
					{...{ type: "password", spellcheck: false, maxLength: 100 }}
					{...{ "aria-invalid": isWrong, "aria-describedby": "key-hint" }}
				/>
				{isWrong && (
					<p class="failure" role="alert">
						A key is pk_ and 38 letters and digits.
					</p>
				)}
				<p>
					<CheckBox label="Keep it in this browser" value={isPersistent} set={setPersistent} />
				</p>
				<p>
					<button type="submit">Use this key</button>
				</p>
				<p class="soft" id="key-hint">
					Otherwise it is deleted when this tab is closed. It is sent only to this service, in a header.
				</p>
			</form>
			<LostKey />
		</Section>
	);
}

const gracePeriods = [
	["0", "no longer"],
	["3600", "an hour"],
	["86400", "a day"],
	["604800", "a week"],
] as const;

/** The stored key, with controls to change where it is stored, to replace it and to revoke it. */
export function KeyInUse({ apiKey, isPersistent }: Pick<StoredKey, "isPersistent"> & { apiKey: string }) {
	const [grace, setGrace] = useState("86400");
	const [successor, setSuccessor] = useState<string>();
	const action = useAction();
	const rotate = async () => {
		const call = { method: "POST", key: apiKey, body: { grace_seconds: Number(grace) } };
		const rotated = await action.run(() => callAs("rotateKey", "/keys/rotate", call));
		setSuccessor(rotated?.key);
	};
	const revoke = async () => {
		const call = { method: "POST", key: apiKey };
		if ((await action.run(() => callAs("revokeKey", "/keys/revoke", call))) !== undefined) removeKey();
	};
	return (
		<Section id="key" title="Your key">
			<p>
				<code>{hintOf(apiKey)}</code>,{" "}
				{isPersistent ? "kept in this browser until you remove it." : "kept for this tab alone."}
			</p>
			<div class="toolbar">
				<button type="button" class="plain" onClick={() => storeKey({ key: apiKey, isPersistent: !isPersistent })}>
					{isPersistent ? "Keep it only for this tab" : "Keep it in this browser"}
				</button>
				<button type="button" class="plain" onClick={removeKey}>
					Remove it from here
				</button>
			</div>
			<details>
				<summary>Replace or end it</summary>
				<div class="toolbar">
					<Choice label="The old key works for" value={grace} set={setGrace} options={gracePeriods} />
					<button type="button" class="plain" disabled={action.isBusy || successor !== undefined} onClick={rotate}>
						Replace it
					</button>
					<Confirmed label="Revoke" question="Requests with this key will be refused." act={revoke} />
				</div>
			</details>
			<Problem action={action} />
			{successor !== undefined && (
				<NewSecret name="Your new key" secret={successor}>
					<button type="button" class="plain" onClick={() => storeKey({ key: successor, isPersistent })}>
						Use it here
					</button>
				</NewSecret>
			)}
		</Section>
	);
}
