import { useId, useState } from "preact/hooks";
import { callAs } from "../../lib/api.ts";
import { keepKey } from "../../lib/key.ts";
import { Problem } from "../../lib/problem.tsx";
import { useAction } from "../../lib/use-action.ts";
import { NewSecret } from "./new-secret.tsx";

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
