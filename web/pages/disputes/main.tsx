/** Objecting to what is stated: what, why, and where it can be read; and what became of a dispute. */
import "../../style/base.css";
import "./disputes.css";
import { render } from "preact";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { type Fact, FactList } from "../../lib/elements/page.tsx";
import { filed, words } from "../../lib/text/format.ts";
import { Form } from "./form.tsx";

/** `?id=` is a dispute that was filed; anything else is what the form begins with. */
const given = new URLSearchParams(location.search);

function Disputes() {
	return (
		<>
			<Form given={given} />
			<State id={given.get("id") ?? ""} />
		</>
	);
}

/** What became of a dispute, by its number. */
export function State({ id }: { id: string }) {
	return (
		<section aria-labelledby="state">
			<h2 id="state">What became of a dispute</h2>
			<form class="ask" method="get" action="/dispute">
				<label for="id">Its number</label>
				<input id="id" name="id" inputMode="numeric" defaultValue={id} maxLength={9} />
				<button type="submit">Look</button>
			</form>
			{/^[1-9]\d{0,8}$/.test(id) && <Of id={id} />}
		</section>
	);
}

function Of({ id }: { id: string }) {
	const state = useRead(`dispute ${id}`, (signal) => read("getDispute", `/disputes/${id}`, {}, signal));
	const { data } = state;
	if (data === undefined) return <Failed state={state} />;
	const facts: Fact[] = [
		["State", words(data.state)],
		["About", words(data.about)],
		["Request", data.project_id === null ? null : filed(data.project_id)],
		["Field", data.field],
		["Number", data.identifier],
		["Stated then", data.stated === null ? null : filed(data.stated)],
		["Filed", data.opened_at.slice(0, 10)],
		["Decided", data.settled_at?.slice(0, 10) ?? null],
		["Decision", data.decision === null ? null : filed(data.decision)],
	];
	return <FactList facts={facts} />;
}

const root = document.getElementById("page");
if (root) render(<Disputes />, root);
