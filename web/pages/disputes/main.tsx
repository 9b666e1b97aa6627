/** Disputes about stated values: a form to file one, and the state of one. */
import "../../style/base.css";
import "./disputes.css";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { FactList, mount, Section } from "../../lib/elements/page.tsx";
import { labelOf, safeText } from "../../lib/text/format.ts";
import { Form } from "./form.tsx";

/** `?id=` is the number of a filed dispute; other parameters fill in the form. */
const given = new URLSearchParams(location.search);

const Status = ({ id }: { id: string }) => (
	<Section id="state" title="What became of a dispute">
		<form class="ask" method="get" action="/dispute">
			<label for="id">Its number</label>
			<input id="id" name="id" inputMode="numeric" defaultValue={id} maxLength={9} />
			<button type="submit">Look</button>
		</form>
		{/^[1-9]\d{0,8}$/.test(id) && <Dispute id={id} />}
	</Section>
);

function Dispute({ id }: { id: string }) {
	const state = useOperation("getDispute", `/disputes/${id}`);
	const { data } = state;
	if (data === undefined) return <Failed state={state} />;
	const text = (value: string | null) => (value === null ? null : safeText(value));
	return (
		<FactList
			facts={[
				["State", labelOf(data.state)],
				["About", labelOf(data.about)],
				["Request", text(data.project_id)],
				["Field", data.field],
				["Number", data.identifier],
				["Stated then", text(data.stated)],
				["Filed", data.opened_at.slice(0, 10)],
				["Decided", data.settled_at?.slice(0, 10) ?? null],
				["Decision", text(data.decision)],
			]}
		/>
	);
}

mount(
	<>
		<Form given={given} />
		<Status id={given.get("id") ?? ""} />
	</>,
);
