// Kernels in WebAssembly, and their memory. Layouts come from Python (tafl/page/pack.py and
// tafl/core/compile/wasm.py): here they are only followed.

const VIEWS = {
  bool: Uint8Array,
  int8: Int8Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
};
const STACK = 1 << 16; // bytes
const PAGE = 1 << 16;
const ALIGNED = 64; // a cache line

export class KernelError extends Error {}

export class Machine {
  // program: {kernels, memory}; bytes(name): the bytes that arrays refer to
  static async start(program, module, bytes) {
    const machine = new Machine(program, bytes);
    const env = {
      __linear_memory: machine.memory,
      __stack_pointer: machine.stack,
    };
    for (const { name, kind } of WebAssembly.Module.imports(module)) {
      if (kind === "function") env[name] = Math[name];
    }
    const instance = await WebAssembly.instantiate(module, { env });
    machine.functions = instance.exports;
    return machine;
  }

  constructor(program, bytes) {
    this.kernels = program.kernels;
    this.forms = program.memory;
    this.bytes = bytes;
    this.memory = new WebAssembly.Memory({ initial: 4, maximum: 1 << 16 });
    // constants of the module lie from 0 on, in the first page; then the stack, which grows down
    this.top = PAGE + STACK;
    this.stack = new WebAssembly.Global({ value: "i32", mutable: true }, this.top);
    this.blocks = {};
    this.shared = {};
  }

  // Reserves `size` bytes, at most 4 GB in all.
  reserve(size) {
    const at = Math.ceil(this.top / ALIGNED) * ALIGNED;
    this.top = at + size;
    const missing = this.top - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    return at;
  }

  // Memory of this form: arrays become {at, type, shape, size}, numbers stay what they are.
  place(form) {
    if (form === null || typeof form !== "object") return form;
    if (!("shape" in form)) {
      return Object.fromEntries(Object.entries(form).map(([k, v]) => [k, this.place(v)]));
    }
    const size = form.shape.reduce((a, b) => a * b, 1);
    const at = this.reserve(size * VIEWS[form.type].BYTES_PER_ELEMENT);
    const array = { at, type: form.type, shape: form.shape, size };
    this.write(array, form);
    return array;
  }

  write(array, form) {
    const view = this.view(array);
    const number = /int64/.test(form.type) ? BigInt : Number;
    if (form.fill !== undefined) view.fill(number(form.fill));
    else if (form.items) view.set(form.items.map(number));
    else if (form.data) {
      const size = view.BYTES_PER_ELEMENT * view.length;
      join(
        this.bytes(form.data),
        new Uint8Array(view.buffer, array.at, size),
        view.BYTES_PER_ELEMENT,
      );
    } else if (form.active) unpack(view, form.active, this.bytes);
    else if (form.repeat) repeat(view, form.repeat);
    else if (form.given) view.set(form.given);
  }

  // An array as JavaScript sees it, until memory grows.
  view({ at, type, size }) {
    return new VIEWS[type](this.memory.buffer, at, size);
  }

  // Calls a kernel. Arguments by name; what is not given is memory that all calls share.
  call(name, given = {}) {
    const { arguments: taken, size } = this.kernels[name];
    for (const field of taken) {
      if (!(field.name in given)) this.share(field.name);
    }
    this.blocks[name] ??= this.reserve(size);
    const block = this.blocks[name];
    const data = new DataView(this.memory.buffer, block, size);
    for (const field of taken) pass(data, field, given[field.name] ?? this.shared[field.name]);
    const status = this.#run(this.functions[name], block);
    if (status !== 0) throw new KernelError(`${name} ended with status ${status}`);
    return Number(new DataView(this.memory.buffer).getBigInt64(block, true));
  }

  // A kernel that traps leaves its stack behind.
  #run(kernel, block) {
    const before = this.stack.value;
    try {
      return kernel(block);
    } catch (error) {
      this.stack.value = before;
      throw error;
    }
  }

  share(name) {
    if (!(name in this.shared)) this.shared[name] = this.place(this.forms[name]);
    return this.shared[name];
  }
}

// Writes an argument to its place in a block.
function pass(data, field, value) {
  if (field.none) return;
  if (field.fields) {
    for (const inner of field.fields) pass(data, inner, value[inner.name]);
  } else if (field.dimensions !== undefined) {
    data.setUint32(field.offset, value.at, true);
    value.shape.forEach((n, d) => data.setUint32(field.offset + 4 * (1 + d), n, true));
  } else if (field.type === "bool") {
    data.setUint8(field.offset, value ? 1 : 0);
  } else if (field.type.startsWith("float")) {
    data.setFloat64(field.offset, value, true);
  } else {
    data.setBigInt64(field.offset, BigInt(value), true);
  }
}

// The same few numbers again and again.
function repeat(view, numbers) {
  const width = numbers.length;
  numbers.forEach((number, j) => {
    if (number) for (let i = j; i < view.length; i += width) view[i] = number;
  });
}

// Items from all their first bytes, all their second bytes, and so on.
function join(planes, out, each) {
  const count = planes.length / each;
  for (let b = 0; b < each; b++) {
    for (let i = 0; i < count; i++) out[i * each + b] = planes[b * count + i];
  }
}

// Weights of which many are 0: where the others are, then these, byte by byte.
function unpack(view, { gaps, values, bits }, bytes) {
  const planes = bytes(values);
  const joined = new Uint8Array(planes.length);
  join(planes, joined, bits / 8);
  const numbers =
    bits === 32 ? new Float32Array(joined.buffer) : halves(new Uint16Array(joined.buffer));
  spread(numbers, placesOf(bytes(gaps)), view);
}

// Where weights are that are not 0, and how many there are in all (tafl/runs/small.py): each gap
// says how many zeros are in front of one, or 255 and that the number goes on in the next byte.
export function placesOf(gaps) {
  const places = [];
  let place = 0;
  for (const zeros of gaps) {
    place += zeros;
    if (zeros < 255) places.push(place++);
  }
  return places;
}

// Puts numbers in their places.
export function spread(numbers, places, weights) {
  for (let n = 0; n < numbers.length; n++) weights[places[n]] = numbers[n];
}

// Floats of 16 bits as floats of 32.
export function halves(bits) {
  const out = new Float32Array(bits.length);
  for (let i = 0; i < bits.length; i++) {
    const h = bits[i];
    const exponent = (h >> 10) & 31;
    const fraction = h & 1023;
    const size = exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24;
    out[i] = h & 0x8000 ? -size : size;
  }
  return out;
}
