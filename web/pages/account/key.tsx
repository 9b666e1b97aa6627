import { useId, useState } from "preact/hooks";
import { forgetKey, hintOf, isKey, keepKey } from "../../lib/api/key.ts";
import { callAs } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { Confirmed, NewSecret } from "./items.tsx";

/** A free key for an e-mail address. */
export function Register() {
	const id = useId();
	const [email, setEmail] = useState("");
	const [name, setName] = useState("");
	const [key, setKey] = useState<string>();
	const action = useAction();
	const send = async (event: Event) => {
		event.preventDefault();
		const body = { email, ...(name.trim() !== "" && { name }) };
		const issued = await action.run(() => callAs("register", "/register", { method: "POST", body }));
		if (issued !== undefined) setKey(issued.key);
	};
	return (
		<section aria-labelledby="register">
			<h2 id="register">Get a free key</h2>
			{key === undefined ? (
				<form onSubmit={send} noValidate>
					<label for={`${id}-email`}>E-mail address</label>
					<input
						id={`${id}-email`}
						type="email"
						autocomplete="email"
						maxLength={254}
						required
						value={email}
						onInput={(event) => setEmail(event.currentTarget.value)}
					/>
					<label for={`${id}-name`}>
						Name <span class="soft">(optional)</span>
					</label>
					<input
						id={`${id}-name`}
						autocomplete="name"
						maxLength={100}
						value={name}
						onInput={(event) => setName(event.currentTarget.value)}
					/>
					<Problem action={action} />
					<p>
						<button type="submit" disabled={action.isBusy}>
							Get the key
						</button>
					</p>
					<p class="soft">
						The address is kept to reach you about the key, and is not verified: each key from this form has an account
						of its own.
					</p>
				</form>
			) : (
				<NewSecret name="Your key" secret={key}>
					<button type="button" class="plain" onClick={() => keepKey({ key, isForGood: false })}>
						Use it in this tab
					</button>
					<button type="button" class="plain" onClick={() => keepKey({ key, isForGood: true })}>
						Keep it in this browser
					</button>
				</NewSecret>
			)}
		</section>
	);
}

/** For a visitor that has a key. */
export function EnterKey() {
	const id = useId();
	const [key, setKey] = useState("");
	const [isForGood, setForGood] = useState(false);
	const [isWrong, setWrong] = useState(false);
	const use = (event: Event) => {
		event.preventDefault();
		if (isKey(key.trim())) keepKey({ key: key.trim(), isForGood });
		else setWrong(true);
	};
	return (
		<section aria-labelledby="enter">
			<h2 id="enter">You have a key</h2>
			<form onSubmit={use} noValidate>
				<label for={id}>Key</label>
				<input
					id={id}
					type="password"
					autocomplete="off"
					spellcheck={false}
					maxLength={100}
					value={key}
					aria-invalid={isWrong}
					aria-describedby={`${id}-hint`}
					onInput={(event) => {
						setKey(event.currentTarget.value);
						setWrong(false);
					}}
				/>
				{isWrong && (
					<p class="failure" role="alert">
						A key is pk_ and 38 letters and digits.
					</p>
				)}
				<p>
					<label>
						<input type="checkbox" checked={isForGood} onChange={(event) => setForGood(event.currentTarget.checked)} />{" "}
						Keep it in this browser
					</label>
				</p>
				<p>
					<button type="submit">Use this key</button>
				</p>
				<p class="soft" id={`${id}-hint`}>
					Otherwise it is forgotten with this tab. It is sent to this service alone, as a header.
				</p>
			</form>
		</section>
	);
}

const graces: [seconds: number, text: string][] = [
	[0, "no longer"],
	[3_600, "an hour"],
	[86_400, "a day"],
	[604_800, "a week"],
];

interface KeyProps {
	apiKey: string;
	isForGood: boolean;
}

/** The key that this page works with: where it is kept, its successor, its end. */
export function KeyInUse({ apiKey, isForGood }: KeyProps) {
	const id = useId();
	const [grace, setGrace] = useState(86_400);
	const [successor, setSuccessor] = useState<string>();
	const action = useAction();
	const rotate = async () => {
		const call = { method: "POST", key: apiKey, body: { grace_seconds: grace } };
		const replaced = await action.run(() => callAs("rotateKey", "/keys/rotate", call));
		if (replaced !== undefined) setSuccessor(replaced.key);
	};
	const revoke = async () => {
		const call = { method: "POST", key: apiKey };
		if ((await action.run(() => callAs("revokeKey", "/keys/revoke", call))) !== undefined) forgetKey();
	};
	return (
		<section aria-labelledby="key">
			<h2 id="key">Your key</h2>
			<p>
				<code>{hintOf(apiKey)}</code>,{" "}
				{isForGood ? "kept in this browser until you remove it." : "kept for this tab alone."}
			</p>
			<div class="toolbar">
				<button type="button" class="plain" onClick={() => keepKey({ key: apiKey, isForGood: !isForGood })}>
					{isForGood ? "Keep it for this tab alone" : "Keep it in this browser"}
				</button>
				<button type="button" class="plain" onClick={forgetKey}>
					Remove it from here
				</button>
			</div>
			<details>
				<summary>Replace or end it</summary>
				<div class="toolbar">
					<label for={id}>The old key works for</label>
					<select id={id} value={grace} onChange={(event) => setGrace(Number(event.currentTarget.value))}>
						{graces.map(([seconds, text]) => (
							<option key={seconds} value={seconds}>
								{text}
							</option>
						))}
					</select>
					<button type="button" class="plain" disabled={action.isBusy || successor !== undefined} onClick={rotate}>
						Replace it
					</button>
					<Confirmed label="End it for good" question="No request with it is answered any more." act={revoke} />
				</div>
			</details>
			<Problem action={action} />
			{successor !== undefined && (
				<NewSecret name="Your new key" secret={successor}>
					<button type="button" class="plain" onClick={() => keepKey({ key: successor, isForGood })}>
						Use it here
					</button>
				</NewSecret>
			)}
		</section>
	);
}
