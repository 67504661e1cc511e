#ifndef TTKIT_NVWS_TOKEN_OPS
#define TTKIT_NVWS_TOKEN_OPS

include "nvws/nvws_dialect.td"

class NVWS_WaitingOp<string mnemonic> : NVWS_Op<mnemonic> {
  let arguments = (ins NVWS_Tokens:$token, I32:$idx, I1:$phase);
  let assemblyFormat = "operands attr-dict `:` type(operands)";
}

class NVWS_SignalOp<string mnemonic> : NVWS_Op<mnemonic> {
  let arguments = (ins NVWS_Tokens:$token, I32:$idx);
  let assemblyFormat = "operands attr-dict `:` type(operands)";
}

def NVWS_CreateTokenOp : NVWS_Op<"create_token"> {
  let summary = "Tokens for a ring of buffers";
  let description = [{
    `numBuffers` of them; `loadType` says by what the buffers are filled.

    Example:
    ```mlir
    tt.func @create() {
      %0 = nvws.create_token {loadType = 1 : i32, numBuffers = 3 : i32} : tensor<3x!nvws.token>
      tt.return
    }
    ```
  }];
  let arguments = (ins I32Attr:$numBuffers, NVWS_TokenLoadTypeAttr:$loadType);
  let results = (outs NVWS_Tokens:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def NVWS_ProducerAcquireOp : NVWS_WaitingOp<"producer_acquire"> {
  let summary = "Wait until buffer `idx` is empty";
  let description = [{
    `phase` flips each time around the ring.

    Example:
    ```mlir
    tt.func @acquire(%t: tensor<3x!nvws.token>, %i: i32, %phase: i1) {
      nvws.producer_acquire %t, %i, %phase : tensor<3x!nvws.token>, i32, i1
      tt.return
    }
    ```
  }];
}

def NVWS_ProducerCommitOp : NVWS_SignalOp<"producer_commit"> {
  let summary = "Say that buffer `idx` is full";
  let description = [{
    Ends what `nvws.producer_acquire` began.

    Example:
    ```mlir
    tt.func @commit(%t: tensor<3x!nvws.token>, %i: i32) {
      nvws.producer_commit %t, %i : tensor<3x!nvws.token>, i32
      tt.return
    }
    ```
  }];
}

def NVWS_ConsumerWaitOp : NVWS_WaitingOp<"consumer_wait"> {
  let summary = "Wait until buffer `idx` is full";
  let description = [{
    `phase` flips each time around the ring.

    Example:
    ```mlir
    tt.func @wait(%t: tensor<3x!nvws.token>, %i: i32, %phase: i1) {
      nvws.consumer_wait %t, %i, %phase : tensor<3x!nvws.token>, i32, i1
      tt.return
    }
    ```
  }];
}

def NVWS_ConsumerReleaseOp : NVWS_SignalOp<"consumer_release"> {
  let summary = "Say that buffer `idx` is empty";
  let description = [{
    Ends what `nvws.consumer_wait` began.

    Example:
    ```mlir
    tt.func @release(%t: tensor<3x!nvws.token>, %i: i32) {
      nvws.consumer_release %t, %i : tensor<3x!nvws.token>, i32
      tt.return
    }
    ```
  }];
}

#endif // TTKIT_NVWS_TOKEN_OPS
