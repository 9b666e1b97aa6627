/** A parameter of an operation, which is a flag of its command. */
export interface Parameter {
	/** As in the interface: `capacity_min`. */
	name: string;
	note: string;
	isSwitch?: true;
	/** Allowed values, if they are few. */
	values?: string[];
}
