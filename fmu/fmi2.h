// The C interface of FMI 2.0 (Functional Mock-up Interface for Model Exchange and Co-Simulation,
// version 2.0), as its sections 2 to 4 demand it: types, and a prototype for each function. Files
// of an FMU include it before they define one; a host in C may include it, too.
#ifndef FMU_FMI2_H
#define FMU_FMI2_H

#include <stddef.h>

#define fmi2TypesPlatform "default"
#define fmi2Version "2.0"

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char *fmi2String;
typedef char fmi2Byte;

#define fmi2True 1
#define fmi2False 0

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum {
    fmi2DoStepStatus,
    fmi2PendingStatus,
    fmi2LastSuccessfulTime,
    fmi2Terminated
} fmi2StatusKind;

typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment, fmi2String instance, fmi2Status,
                                   fmi2String category, fmi2String message, ...);
typedef void *(*fmi2CallbackAllocateMemory)(size_t count, size_t size);
typedef void (*fmi2CallbackFreeMemory)(void *);
typedef void (*fmi2StepFinished)(fmi2ComponentEnvironment, fmi2Status);

typedef struct {
    fmi2CallbackLogger logger;
    fmi2CallbackAllocateMemory allocateMemory;
    fmi2CallbackFreeMemory freeMemory;
    fmi2StepFinished stepFinished;
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
    fmi2Boolean newDiscreteStatesNeeded;
    fmi2Boolean terminateSimulation;
    fmi2Boolean nominalsOfContinuousStatesChanged;
    fmi2Boolean valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

// Where several FMUs are linked into one program, FMI2_FUNCTION_PREFIX tells their functions apart.
#ifdef FMI2_FUNCTION_PREFIX
#define FMU_JOIN_WORDS(a, b) a##b
#define FMU_JOIN(a, b) FMU_JOIN_WORDS(a, b)
#define FMI2(name) FMU_JOIN(FMI2_FUNCTION_PREFIX, name)
#else
#define FMI2(name) name
#endif
#if defined _WIN32
#define FMI2_EXPORT __declspec(dllexport)
#elif defined __GNUC__
#define FMI2_EXPORT __attribute__((visibility("default")))
#else
#define FMI2_EXPORT
#endif

// FMI2_CALL(fmi2Status, fmi2Terminate)(fmi2Component c): a function that hosts call
#define FMI2_CALL(type, name) FMI2_EXPORT type FMI2(name)

#define FMI2_LIST const fmi2ValueReference vr[], size_t nvr

FMI2_CALL(const char *, fmi2GetTypesPlatform)(void);
FMI2_CALL(const char *, fmi2GetVersion)(void);
FMI2_CALL(fmi2Status, fmi2SetDebugLogging)
(fmi2Component c, fmi2Boolean loggingOn, size_t nCategories, const fmi2String categories[]);
FMI2_CALL(fmi2Component, fmi2Instantiate)
(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID, fmi2String fmuResourceLocation,
 const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean loggingOn);
FMI2_CALL(void, fmi2FreeInstance)(fmi2Component c);
FMI2_CALL(fmi2Status, fmi2SetupExperiment)
(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real startTime,
 fmi2Boolean stopTimeDefined, fmi2Real stopTime);
FMI2_CALL(fmi2Status, fmi2EnterInitializationMode)(fmi2Component c);
FMI2_CALL(fmi2Status, fmi2ExitInitializationMode)(fmi2Component c);
FMI2_CALL(fmi2Status, fmi2Terminate)(fmi2Component c);
FMI2_CALL(fmi2Status, fmi2Reset)(fmi2Component c);

FMI2_CALL(fmi2Status, fmi2GetReal)(fmi2Component c, FMI2_LIST, fmi2Real value[]);
FMI2_CALL(fmi2Status, fmi2GetInteger)(fmi2Component c, FMI2_LIST, fmi2Integer value[]);
FMI2_CALL(fmi2Status, fmi2GetBoolean)(fmi2Component c, FMI2_LIST, fmi2Boolean value[]);
FMI2_CALL(fmi2Status, fmi2GetString)(fmi2Component c, FMI2_LIST, fmi2String value[]);
FMI2_CALL(fmi2Status, fmi2SetReal)(fmi2Component c, FMI2_LIST, const fmi2Real value[]);
FMI2_CALL(fmi2Status, fmi2SetInteger)(fmi2Component c, FMI2_LIST, const fmi2Integer value[]);
FMI2_CALL(fmi2Status, fmi2SetBoolean)(fmi2Component c, FMI2_LIST, const fmi2Boolean value[]);
FMI2_CALL(fmi2Status, fmi2SetString)(fmi2Component c, FMI2_LIST, const fmi2String value[]);

FMI2_CALL(fmi2Status, fmi2GetFMUstate)(fmi2Component c, fmi2FMUstate *state);
FMI2_CALL(fmi2Status, fmi2SetFMUstate)(fmi2Component c, fmi2FMUstate state);
FMI2_CALL(fmi2Status, fmi2FreeFMUstate)(fmi2Component c, fmi2FMUstate *state);
FMI2_CALL(fmi2Status, fmi2SerializedFMUstateSize)
(fmi2Component c, fmi2FMUstate state, size_t *size);
FMI2_CALL(fmi2Status, fmi2SerializeFMUstate)
(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size);
FMI2_CALL(fmi2Status, fmi2DeSerializeFMUstate)
(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state);
FMI2_CALL(fmi2Status, fmi2GetDirectionalDerivative)
(fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns,
 const fmi2ValueReference known[], size_t knowns, const fmi2Real direction[], fmi2Real slope[]);

// Model exchange
FMI2_CALL(fmi2Status, fmi2EnterEventMode)(fmi2Component c);
FMI2_CALL(fmi2Status, fmi2NewDiscreteStates)(fmi2Component c, fmi2EventInfo *info);
FMI2_CALL(fmi2Status, fmi2EnterContinuousTimeMode)(fmi2Component c);
FMI2_CALL(fmi2Status, fmi2CompletedIntegratorStep)
(fmi2Component c, fmi2Boolean keepsNoEarlierState, fmi2Boolean *enterEventMode,
 fmi2Boolean *terminateSimulation);
FMI2_CALL(fmi2Status, fmi2SetTime)(fmi2Component c, fmi2Real time);
FMI2_CALL(fmi2Status, fmi2SetContinuousStates)(fmi2Component c, const fmi2Real x[], size_t nx);
FMI2_CALL(fmi2Status, fmi2GetDerivatives)(fmi2Component c, fmi2Real derivatives[], size_t nx);
FMI2_CALL(fmi2Status, fmi2GetEventIndicators)(fmi2Component c, fmi2Real indicators[], size_t ni);
FMI2_CALL(fmi2Status, fmi2GetContinuousStates)(fmi2Component c, fmi2Real x[], size_t nx);
FMI2_CALL(fmi2Status, fmi2GetNominalsOfContinuousStates)
(fmi2Component c, fmi2Real nominal[], size_t nx);

// Co-simulation
FMI2_CALL(fmi2Status, fmi2SetRealInputDerivatives)
(fmi2Component c, FMI2_LIST, const fmi2Integer order[], const fmi2Real value[]);
FMI2_CALL(fmi2Status, fmi2GetRealOutputDerivatives)
(fmi2Component c, FMI2_LIST, const fmi2Integer order[], fmi2Real value[]);
FMI2_CALL(fmi2Status, fmi2DoStep)
(fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
 fmi2Boolean keepsNoEarlierState);
FMI2_CALL(fmi2Status, fmi2CancelStep)(fmi2Component c);
FMI2_CALL(fmi2Status, fmi2GetStatus)(fmi2Component c, fmi2StatusKind kind, fmi2Status *value);
FMI2_CALL(fmi2Status, fmi2GetRealStatus)(fmi2Component c, fmi2StatusKind kind, fmi2Real *value);
FMI2_CALL(fmi2Status, fmi2GetIntegerStatus)
(fmi2Component c, fmi2StatusKind kind, fmi2Integer *value);
FMI2_CALL(fmi2Status, fmi2GetBooleanStatus)
(fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value);
FMI2_CALL(fmi2Status, fmi2GetStringStatus)
(fmi2Component c, fmi2StatusKind kind, fmi2String *value);

#endif
