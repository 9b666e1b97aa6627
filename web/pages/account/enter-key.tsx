import { useId, useState } from "preact/hooks";
import { isKey, keepKey } from "../../lib/key.ts";

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
