import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { useId } from "preact/hooks";

interface FieldProps<V> {
	label: ComponentChildren;
	value: V;
	set(value: V): void;
}

type TextFieldProps = FieldProps<string> & Omit<InputHTMLAttributes, "value" | "label">;

export function TextField({ label, set, ...attributes }: TextFieldProps) {
	const id = useId();
	return (
		<div>
			<label for={id}>{label}</label>
			<input
				autocomplete="off"
				{...(attributes as object)}
				id={id}
				onInput={(event) => set(event.currentTarget.value)}
			/>
		</div>
	);
}

interface ChoiceProps extends FieldProps<string> {
	/** Values and their texts; the text is the value when absent. */
	options: readonly (readonly [value: string, text?: string])[];
}

export function Choice({ label, value, set, options }: ChoiceProps) {
	const id = useId();
	return (
		<div>
			<label for={id}>{label}</label>{" "}
			<select id={id} value={value} onChange={(event) => set(event.currentTarget.value)}>
				{options.map(([value, text = value]) => (
					<option key={value} value={value}>
						{text}
					</option>
				))}
			</select>
		</div>
	);
}

export const CheckBox = ({ label, value, set }: FieldProps<boolean>) => (
	<label class="choice">
		<input type="checkbox" checked={value} onChange={(event) => set(event.currentTarget.checked)} /> {label}
	</label>
);
